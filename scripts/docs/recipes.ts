import type { ToolDeclaration } from '../../src/domain/tool.ts'
import { builtinTools } from '../../src/infrastructure/tools/index.ts'
import { code, guideWith, markdownTable } from './section.ts'

export function recipesGuide(): string {
  return guideWith('docs/recipes.md', { tools: toolTable })
}

function toolTable(): string {
  const tools = builtinTools({
    environment: {},
    keyVariables: () => [],
    confinement: { mode: 'preferred', home: '/nonexistent', homeVisible: [], own: [] },
    probe: async () => ({ ok: false, reason: 'only listed' }),
    defaultTimeoutSeconds: 600,
  })
  const rows = tools.map(tool => [
    code(tool.name),
    tool.description,
    fieldsOf(tool.inputSchema),
    fieldsOf(tool.outputSchema),
    tool.capability.readOnly ? 'reads' : 'writes',
  ])
  return markdownTable(['tool', 'what it does', 'takes (`?` may be left out)', 'gives', ''], rows)
}

function fieldsOf(schema: ToolDeclaration['inputSchema']): string {
  const { properties = {}, required = [] } = schema as {
    // What zod writes for an object.
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.keys(properties)
    .map(name => code(required.includes(name) ? name : `${name}?`))
    .join(', ')
}
