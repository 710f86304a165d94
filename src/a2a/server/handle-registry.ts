import { mapped, ok, refuse } from '../../domain/failure.ts'
import { noneNamed } from '../../domain/nearest.ts'
import type { Handler } from './call.ts'
import { actorView } from './to-view/actor.ts'
import { toolView } from './to-view/registry.ts'

export const listTools: Handler<'_cleveragents/tool/list'> = ({ namespace }, { backend }) => {
  const tools = backend.tools().filter(tool => !namespace || tool.name.startsWith(`${namespace}/`))
  return ok({ tools: tools.map(toolView) })
}

export const showTool: Handler<'_cleveragents/tool/show'> = ({ name }, { backend }) => {
  const tools = backend.tools()
  const tool = tools.find(each => each.name === name) ?? tools.find(each => each.name === `builtin/${name}`)
  if (tool) return ok(toolView(tool))
  const known = tools.map(each => each.name)
  return refuse('not_found', noneNamed('tool', name, known), { name })
}

export const listActors: Handler<'_cleveragents/actor/list'> = (_params, { backend }) =>
  ok({ actors: backend.actors().map(actor => ({ ...actor })) })

export const showActor: Handler<'_cleveragents/actor/show'> = async ({ name }, { backend }) =>
  mapped(await backend.actor(name), actorView)
