import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputFile, Outputs } from '../../application/ports/tool.ts'

/** The whole output of commands, one file a step, below the plan's own folder. */
export function createOutputs(dataDir: string): Outputs {
  return {
    list: async planId => {
      const folder = join(dataDir, 'plans', planId, 'output')
      const names = await readdir(folder).catch(() => [])
      const files = await Promise.all(names.sort().map(name => describe(folder, name)))
      return files.flatMap(file => file ?? [])
    },
  }
}

async function describe(folder: string, name: string): Promise<OutputFile | null> {
  const path = join(folder, name)
  const found = await stat(path).catch(() => null)
  return found?.isFile() ? { name, kind: 'output', bytes: found.size, path } : null
}
