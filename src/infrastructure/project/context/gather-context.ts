/**
 * What a model is told of a project before it looks at it. All of it comes from the folder: it is data and no orders, and
 * what hides in it is shown. Nothing is run. Begin with `gatherContext`.
 */
import type { ProjectContext } from '../../../domain/actor/actor.ts'
import { withHiddenShown } from '../../../domain/model/untrusted.ts'
import { isForbidden } from '../../error-code.ts'
import { type WalkedFile, walk } from '../../files/walk.ts'
import { nestedInstructions, readInstructions } from './instructions.ts'
import { repositoryMap } from './repository-map.ts'

/** `root`: the sandbox. Instructions take at most half of the tokens, the map has the rest. */
export async function gatherContext(root: string, maxTokens: number): Promise<ProjectContext> {
  const files = await filesOf(root)
  if (files === null) return { instructions: [], map: 'Not all of the project may be read here.' }
  const instructions = readInstructions(root, files, Math.floor(maxTokens / 2))
  const used = instructions.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0)
  const nested = nestedInstructions(files)
  const where =
    nested.length === 0 ? [] : [`Instructions for single folders: ${nested.slice(0, 20).join(', ')}`]
  return {
    instructions: instructions.map(({ path, text }) => ({ path: withHiddenShown(path), text })),
    map: withHiddenShown([...where, repositoryMap(root, files, maxTokens - used)].join('\n')),
  }
}

/** Null where a folder of it may not be read; a model still has its tools for the rest. */
async function filesOf(root: string): Promise<readonly WalkedFile[] | null> {
  try {
    return await walk(root, new AbortController().signal)
  } catch (error) {
    if (isForbidden(error)) return null
    throw error
  }
}
