import { actorLines } from '../render/actor.ts'
import { actorsLines, toolLines, toolsLines } from '../render/library.ts'
import { given, simpleCall } from '../simple-call.ts'

export const toolList = simpleCall(
  '_cleveragents/tool/list',
  ({ given: typed }) => given('namespace', typed.maybe('namespace')),
  toolsLines,
)

export const toolShow = simpleCall(
  '_cleveragents/tool/show',
  ({ given: typed }) => ({ name: typed.one('name') }),
  toolLines,
)

export const actorList = simpleCall('_cleveragents/actor/list', () => ({}), actorsLines)

export const actorShow = simpleCall(
  '_cleveragents/actor/show',
  ({ given: typed }) => ({ name: typed.one('name') }),
  actorLines,
)
