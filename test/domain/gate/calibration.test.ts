import { expect, test } from 'vitest'
import { calibrate } from '../../../src/domain/gate/calibration.ts'

const band = { type: 'implementation_choice', from: 0.8, to: 0.9 } as const

test.each([
  ['too few to tell', 4, 4],
  ['as many as were to be expected', 10, 2],
  ['none', 50, 0],
])('suggests nothing where %s were corrected', (_what, passed, corrected) => {
  expect(calibrate({ ...band, passed, corrected }).suggestion).toBeNull()
})

test('suggests a threshold in words where more were corrected than what was stated allows', () => {
  expect(calibrate({ ...band, passed: 10, corrected: 3 }).suggestion).toBe(
    '3 of 10 decisions of type implementation_choice stated at .80 to .90 were corrected; about 20 % would be expected. A threshold execute_command of .90 would have asked about them.',
  )
  const strategy = { ...band, type: 'strategy_choice', passed: 5, corrected: 5 } as const
  expect(calibrate(strategy).suggestion).toContain('A threshold edit_code of')
})
