/**
 * Makes `dist`: the launcher `agents.mjs`, the bundle behind it, and the files read at run time.
 * `node scripts/build.ts` builds once; with `--watch` it builds again on every change.
 */
import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type BuildOptions, build as bundle, context, type Metafile, type Plugin } from 'esbuild'
import { assetFolders } from '../src/infrastructure/system/asset.ts'
import { launcherBundle, mainBundle, refuseLateCommonJs } from './bundle.ts'

const repository = resolve(import.meta.dirname, '..')

if (import.meta.main) await (process.argv.includes('--watch') ? watch(repository) : build(repository))

export async function build(root: string, outdir = join(root, 'dist')): Promise<void> {
  await bundle(launcherBundle(root, outdir))
  await chmod(join(outdir, 'agents.mjs'), 0o755)
  const { metafile } = await bundle({ ...mainBundle(root, outdir), metafile: true })
  await finish(root, outdir, metafile)
}

async function watch(root: string): Promise<void> {
  const outdir = join(root, 'dist')
  await build(root, outdir)
  const options: BuildOptions = { ...mainBundle(root, outdir), sourcemap: 'linked', logLevel: 'info' }
  options.plugins = [...(options.plugins ?? []), finishEachTime(root, outdir)]
  await (await context(options)).watch()
}

function finishEachTime(root: string, outdir: string): Plugin {
  return {
    name: 'finish',
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        if (metafile) await finish(root, outdir, metafile)
      })
    },
  }
}

/** Chunks of the last build go only after the new ones are there: a program that is running may still load them. */
async function finish(root: string, outdir: string, metafile: Metafile): Promise<void> {
  refuseLateCommonJs(metafile)
  await copyAssets(root, outdir)
  const outputs = Object.keys(metafile.outputs).map(path => resolve(root, path))
  const keep = new Set([...outputs, join(outdir, 'agents.mjs'), ...assetTargets(outdir)])
  const stale = (await readdir(outdir)).map(name => join(outdir, name)).filter(path => !keep.has(path))
  await Promise.all(stale.map(path => rm(path, { recursive: true, force: true })))
}

async function copyAssets(root: string, outdir: string): Promise<void> {
  for (const [name, folder] of Object.entries(assetFolders)) {
    const target = join(outdir, name)
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    // A folder whose first file is not written yet is no error.
    await cp(join(root, folder), target, {
      recursive: true,
      filter: source => !source.endsWith('.ts'),
    }).catch(ignoreMissing)
  }
}

function assetTargets(outdir: string): string[] {
  return Object.keys(assetFolders).map(name => join(outdir, name))
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
