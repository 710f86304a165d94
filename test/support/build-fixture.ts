import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { mainBundle } from '../../scripts/bundle.ts'

const repository = resolve(import.meta.dirname, '../..')

/** Bundles a program of test/support/fixtures as the product is bundled: it starts as fast and has the same compositor. */
export async function buildFixture(name: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fixture-'))
  await build({
    ...mainBundle(repository, folder),
    entryPoints: { app: join('test/support/fixtures', name) },
    minify: false,
    legalComments: 'none',
    logLevel: 'error',
  })
  return {
    path: join(folder, 'app.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
