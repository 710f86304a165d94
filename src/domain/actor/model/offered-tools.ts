import type { OfferedTool } from '../../model/message.ts'
import { COMMAND_TOOL, type ToolDeclaration } from '../../tool.ts'
import { ownTool, ownToolNames } from './own-tools.ts'

/** What a model is told of the tools that it may call: ours for requests of an actor, and those of the product. */
export function offeredTools(
  names: readonly string[],
  declared: readonly ToolDeclaration[],
): readonly OfferedTool[] {
  return names.map(name => {
    const tool = ownTool(name) ?? declared.find(each => each.name === name)
    if (!tool) throw new Error(`there is no tool ${name} to offer to a model`)
    return { name, description: tool.description, inputSchema: tool.inputSchema }
  })
}

/** Strategize only looks: a tool that writes, or that runs what it is told, is not there to be called. */
export function toolsForPhase(
  phase: 'strategize' | 'execute',
  declared: readonly ToolDeclaration[],
): readonly ToolDeclaration[] {
  if (phase === 'execute') return declared
  return declared.filter(({ name, capability }) => {
    const { readOnly, writes, unsafe, sideEffects } = capability
    return readOnly && !writes && !unsafe && sideEffects.length === 0 && name !== COMMAND_TOOL
  })
}

export function namesOffered(
  phase: 'strategize' | 'execute',
  declared: readonly ToolDeclaration[],
): string[] {
  return [...ownToolNames[phase], ...toolsForPhase(phase, declared).map(({ name }) => name)]
}
