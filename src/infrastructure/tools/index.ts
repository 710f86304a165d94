/**
 * The tools that come with the program, one a file. A tool sees a sandbox folder and nothing else; what it may do is
 * decided before it is called. Begin with `builtinTools`; paths are opened by ../files/open-inside.ts only.
 */
import type { Tool } from '../../domain/tool.ts'
import { changeDatabaseTool } from './change-database.ts'
import { codemodTool } from './codemod.ts'
import { deleteFileTool } from './delete-file.ts'
import { editFileTool } from './edit-file.ts'
import { listFilesTool } from './list-files.ts'
import { mergeChangesTool } from './merge-changes.ts'
import { moveFileTool } from './move-file.ts'
import { queryDatabaseTool } from './query-database.ts'
import { readFileTool } from './read-file.ts'
import { replaceTextTool } from './replace-text.ts'
import { type CommandSurroundings, runCommandTool } from './run-command.ts'
import { searchCodeTool } from './search-code.ts'
import { searchTextTool } from './search-text.ts'
import { writeFileTool } from './write-file.ts'

export function builtinTools(surroundings: CommandSurroundings): readonly Tool[] {
  return [
    readFileTool,
    listFilesTool,
    searchTextTool,
    searchCodeTool,
    writeFileTool,
    editFileTool,
    replaceTextTool,
    codemodTool,
    moveFileTool,
    deleteFileTool,
    queryDatabaseTool,
    changeDatabaseTool,
    mergeChangesTool,
    runCommandTool(surroundings),
  ]
}
