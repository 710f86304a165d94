import { rename } from 'node:fs/promises'
import * as z from 'zod'
import { type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import { kindOf, openFolderInside } from '../files/open-inside.ts'
import { openParent, splitPath, statusOf } from '../files/write-file.ts'
import { defineTool, pathField, writesFiles } from './define-tool.ts'

export const moveFileTool = defineTool({
  name: 'builtin/move_file',
  description: 'Moves or renames one file; never over another one. A link is moved as a link.',
  input: z.strictObject({ from: pathField, to: pathField }),
  output: z.strictObject({ from: z.string(), to: z.string() }),
  capability: writesFiles,
  opens: ({ from, to }) => [from, to],
  run: async ({ from, to }, { root }) => {
    const moved = await move(root, from, to)
    if (!moved.ok) return moved
    const summary = `moved ${from} to ${to}`
    return { ok: true, value: { output: { from, to }, summary, read: [from, to], written: [from, to] } }
  },
})

async function move(root: string, from: RelPath, to: RelPath): Promise<Result<void>> {
  const source = splitPath(from)
  const opened = openFolderInside(root, source.parent)
  if (!opened.ok) return opened
  using above = opened.value
  const old = above.at(source.name)
  const status = await statusOf(old)
  if (!status) return refuse('not_found', `There is no file ${from}.`, { field: 'from', path: from })
  if (!status.isFile() && !status.isSymbolicLink())
    return refuse('invalid_input', `${from} is ${kindOf(status)}; only files are moved.`, { field: 'from' })
  const target = splitPath(to)
  const parent = await openParent(root, target.parent)
  if (!parent.ok) return parent
  using below = parent.value
  const there = await statusOf(below.at(target.name))
  // On a disk that ignores case the new spelling of a name finds the file itself.
  if (there && !(there.ino === status.ino && differInCaseOnly(from, to)))
    return refuse('already_exists', `There is already something at ${to}; delete it first.`, { field: 'to' })
  await rename(old, below.at(target.name))
  return { ok: true, value: undefined }
}

function differInCaseOnly(from: RelPath, to: RelPath): boolean {
  const [a, b] = [from, to].map(path => Buffer.from(bytesOfRelPath(path)).toString().toLowerCase())
  return from !== to && a === b
}
