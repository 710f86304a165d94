import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { assetFolders } from '../src/infrastructure/system/asset.ts'
import { inkOutput } from './ink-output.ts'

/** How `src/main.ts` becomes `dist/main.mjs` and one chunk for each dynamic import. */
export function mainBundle(root: string, outdir: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    // Flat: src/infrastructure/system/asset.ts looks for the copied folders beside its own chunk.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    minify: true,
    legalComments: 'linked',
    metafile: true,
    // DEV belongs to other programs too; without it Ink's developer tools are not in the bundle.
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    // Native packages, which find their binaries beside themselves; and Ink's optional, absent developer tools.
    external: ['better-sqlite3', '@ast-grep/napi', 'react-devtools-core'],
    // CommonJS packages in the bundle call `require` for Node's own modules.
    banner: {
      js: "import{createRequire as createRequireOfBundle}from'node:module';const require=createRequireOfBundle(import.meta.url);",
    },
    plugins: [inkOutputPlugin, yogaWithoutFetch, watchAssets(root)],
  }
}

/** How `src/launch.ts` becomes `dist/agents.mjs`: one file that an old Node can read. */
export function launcherBundle(root: string, outdir: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: { agents: 'src/launch.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node14',
    metafile: true,
    plugins: [
      {
        name: 'main-is-another-bundle',
        setup(build) {
          build.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.mjs', external: true }))
        },
      },
    ],
  }
}

const inkOutputPlugin: Plugin = {
  name: 'ink-output',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${inkOutput.specifier}$`) }, () => ({ path: inkOutput.path }))
  },
}

/**
 * Ink's layout engine loads its WebAssembly through `fetch` where there is one, which starts Node's whole HTTP client
 * for a text that is already in memory: 70 ms and 8 MiB. Without `fetch` in sight it decodes the text itself.
 */
const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup(build) {
    build.onLoad({ filter: /yoga-layout[\\/]dist[\\/]binaries[\\/].*\.js$/ }, async ({ path }) => ({
      contents: `const fetch = undefined;${await readFile(path, 'utf8')}`,
    }))
  },
}

/** A changed migration or action must start a rebuild although nothing imports it. */
function watchAssets(root: string): Plugin {
  return {
    name: 'watch-assets',
    setup(build) {
      build.onLoad({ filter: /system[\\/]asset\.ts$/ }, async ({ path }) => ({
        contents: await readFile(path, 'utf8'),
        loader: 'ts',
        watchDirs: Object.values(assetFolders).map(folder => join(root, folder)),
      }))
    },
  }
}
