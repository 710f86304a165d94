import { expect, test } from 'vitest'
import { isUlid } from '../../../src/domain/ids.ts'
import { createIdSource } from '../../../src/infrastructure/system/ids.ts'

test('ids grow, also within one millisecond', () => {
  const newId = createIdSource()
  const ids = Array.from({ length: 1000 }, newId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isUlid)).toBe(true)
})
