import { resolve } from 'node:path'
import type { Params } from '../../a2a/protocol/methods.ts'
import type { CommandContext } from '../command.ts'
import { projectRef } from '../plan/command-plan-use.ts'
import { resourceLines, resourcesLines } from '../render/resource.ts'
import { projectLines } from '../render/surroundings.ts'
import { given, simpleCall } from '../simple-call.ts'

type Add = Params<'_cleveragents/resource/add'>

export const resourceAdd = simpleCall(
  '_cleveragents/resource/add',
  ({ given: typed, folder }): Add => {
    // The parser has let nothing else through.
    const type = typed.one('type') as Add['type']
    const mode = typed.maybe('mode') as Add['mode']
    const place = typed.one('location')
    const location = type === 'sqlite' ? resolve(folder, place) : place
    return { name: typed.one('name'), type, location, ...given('mode', mode) }
  },
  resourceLines,
)

export const resourceList = simpleCall('_cleveragents/resource/list', () => ({}), resourcesLines)

export const resourceShow = simpleCall('_cleveragents/resource/show', named, resourceLines)

export const resourceRemove = simpleCall('_cleveragents/resource/remove', named, resourceLines)

export const projectLinkResource = simpleCall('_cleveragents/project/link-resource', link, projectLines)

export const projectUnlinkResource = simpleCall('_cleveragents/project/unlink-resource', link, projectLines)

function named({ given: typed }: CommandContext) {
  return { name: typed.one('name') }
}

function link(context: CommandContext) {
  const { given: typed } = context
  return { project: projectRef(typed.one('project'), context), resource: typed.one('resource') }
}
