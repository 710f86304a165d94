import { settingLines, settingsLines } from '../render/surroundings.ts'
import { given, simpleCall } from '../simple-call.ts'

export const configGet = simpleCall(
  '_cleveragents/config/get',
  ({ given: typed }) => ({ key: typed.one('key'), ...given('project', typed.maybe('project')) }),
  settingLines,
)

export const configSet = simpleCall(
  '_cleveragents/config/set',
  ({ given: typed }) => ({
    key: typed.one('key'),
    value: typed.one('value'),
    ...given('project', typed.maybe('project')),
  }),
  settingLines,
)

export const configList = simpleCall(
  '_cleveragents/config/list',
  ({ given: typed }) => given('project', typed.maybe('project')),
  settingsLines,
)
