import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { builtinTools } from '../../../src/infrastructure/tools/index.ts'
import { toolContext } from '../../contracts/tool.ts'
import { type FileTree, writeFiles } from '../../support/repository.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { commandSurroundings } from './command-surroundings.ts'

const tools = builtinTools(commandSurroundings())

/** A folder with files and the built-in tools working in it. */
export async function toolSandbox(files: FileTree) {
  const root = join(await temporaryFolder(), 'root')
  await mkdir(root)
  await writeFiles(root, files)
  const run = (name: string, input: Record<string, unknown>) => {
    const tool = tools.find(each => each.name === `builtin/${name}`)
    if (!tool) throw new Error(`no tool ${name}`)
    return tool.run(input, toolContext(root))
  }
  return {
    root,
    run,
    /** What the tool gives back; a refusal fails the test with its sentence. */
    use: async (name: string, input: Record<string, unknown>) => {
      const result = await run(name, input)
      if (!result.ok) throw new Error(result.failure.message)
      return result.value
    },
    bytes: (path: string) => readFile(join(root, path)),
    text: (path: string) => readFile(join(root, path), 'utf8'),
    mode: async (path: string) => (await stat(join(root, path))).mode & 0o7777,
  }
}
