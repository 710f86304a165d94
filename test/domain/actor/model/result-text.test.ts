import { expect, it } from 'vitest'
import { checkText } from '../../../../src/domain/actor/model/result-text.ts'

it('a check that did not run is said not to have run once', () => {
  const message = 'not run: the folder is not trusted.'
  const text = checkText(
    { kind: 'validated', result: 'not_run', exitCode: null, message, report: null },
    1_000,
  )
  expect(text).toBe('Not run: the folder is not trusted.')
})
