import { namesTool, parseToolRule, type ToolRule } from './tool-rule.ts'

/** The entries that are about a tool. One that cannot be read is about the tool with exactly that name. */
export function rulesFor(entries: readonly string[], tool: string): ToolRule[] {
  return entries.flatMap(entry => {
    if (entry === tool) return [{ entry, tool: [tool], command: null }]
    const rule = parseToolRule(entry)
    return rule.ok && namesTool(rule.value, tool) ? [rule.value] : []
  })
}
