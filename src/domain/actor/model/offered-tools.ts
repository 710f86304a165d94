import type { OfferedTool } from '../../model/message.ts'
import type { ToolDeclaration } from '../../tool.ts'
import { ownTools } from './own-tools.ts'

/** What a model is told of the tools that it may call: ours for requests of an actor, and those of the product. */
export function offeredTools(
  names: readonly string[],
  declared: readonly ToolDeclaration[],
): readonly OfferedTool[] {
  return names.map(name => {
    const tool = ownTools[name] ?? declared.find(each => each.name === name)
    if (!tool) throw new Error(`there is no tool ${name} to offer to a model`)
    return { name, description: tool.description, inputSchema: tool.inputSchema }
  })
}
