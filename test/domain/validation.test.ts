import { describe, expect, it } from 'vitest'
import { whyUnseen } from '../../src/domain/validation.ts'

describe('attaching a validation to a plan', () => {
  const plan = { name: 'local/p', appliesTo: 'project', position: 'execute/running' } as const

  it.each([
    ['a plan that goes on', plan, null],
    ['a child', { ...plan, appliesTo: 'parent' } as const, 'the plan that started it'],
    ['a plan that was applied', { ...plan, position: 'apply/applied' } as const, 'nothing of it runs again'],
    ['a plan that can be resumed', { ...plan, position: 'execute/errored' } as const, null],
  ])('says of %s whether it would ever be asked', (_, given, words) => {
    const why = whyUnseen(given)
    expect(words === null ? why : why?.includes(words)).toBe(words === null ? null : true)
  })
})
