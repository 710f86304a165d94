import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** For programs that the tests build: here packages are found, and nobody looks. */
export const testCache = join(import.meta.dirname, '../../node_modules/.cache/agents-test')

/** For the environment of these programs: they are started so often that what is compiled pays to keep. */
export const bundledCompileCache = { NODE_COMPILE_CACHE: join(testCache, 'compiled') }

// Built once in each process of the tests.
const bundled = new Map<string, Promise<string>>()

/** A program of the tests as one file: it starts in a third of the time, however often it is started. */
export function bundledProgram(entry: string): Promise<string> {
  const known = bundled.get(entry) ?? bundle(entry)
  bundled.set(entry, known)
  return known
}

async function bundle(entry: string): Promise<string> {
  const file = join(testCache, `${basename(entry, '.ts')}.mjs`)
  const fresh = `${file}.${process.pid}`
  await mkdir(testCache, { recursive: true })
  await build({
    entryPoints: [entry],
    outfile: fresh,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3', '@ast-grep/napi'],
    logLevel: 'error',
  })
  await rename(fresh, file)
  return file
}
