import { unlink } from 'node:fs/promises'
import * as z from 'zod'
import { refuse } from '../../domain/failure.ts'
import { kindOf, openFolderInside } from '../files/open-inside.ts'
import { splitPath, statusOf } from '../files/write-file.ts'
import { defineTool, pathField, writesFiles } from './define-tool.ts'

export const deleteFileTool = defineTool({
  name: 'builtin/delete_file',
  description: 'Deletes one file. Of a link only the link goes, never what it points to.',
  input: z.strictObject({ path: pathField }),
  output: z.strictObject({ path: z.string() }),
  capability: writesFiles,
  opens: ({ path }) => [path],
  run: async ({ path }, { root }) => {
    const { parent, name } = splitPath(path)
    const opened = openFolderInside(root, parent)
    if (!opened.ok) return opened
    using folder = opened.value
    const status = await statusOf(folder.at(name))
    if (!status) return refuse('not_found', `There is no file ${path}.`, { path })
    if (!status.isFile() && !status.isSymbolicLink())
      return refuse('invalid_input', `${path} is ${kindOf(status)}; only files are deleted.`, { path })
    await unlink(folder.at(name))
    return {
      ok: true,
      value: { output: { path }, summary: `deleted ${path}`, read: [path], written: [path] },
    }
  },
})
