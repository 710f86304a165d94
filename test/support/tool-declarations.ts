import type { ToolDeclaration } from '../../src/domain/tool.ts'

/** Declarations by name, for what only looks at names and capabilities. */
export const toolDeclarations: readonly ToolDeclaration[] = [
  ...['read_file', 'list_files', 'search_text', 'search_code'].map(name => declare(name, true)),
  ...['write_file', 'edit_file', 'replace_text', 'codemod', 'run_command'].map(name => declare(name, false)),
]

function declare(name: string, readOnly: boolean): ToolDeclaration {
  return {
    name: `builtin/${name}`,
    description: '',
    inputSchema: {},
    outputSchema: {},
    capability: { readOnly, writes: !readOnly, checkpointable: true, sideEffects: [], unsafe: false },
  }
}
