import { profileLines, profilesLines } from '../render/library.ts'
import { simpleCall } from '../simple-call.ts'

export const profileList = simpleCall('_cleveragents/automation-profile/list', () => ({}), profilesLines)

export const profileShow = simpleCall(
  '_cleveragents/automation-profile/show',
  ({ given: typed }) => ({ name: typed.one('name') }),
  profileLines,
)
