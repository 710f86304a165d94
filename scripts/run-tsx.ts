/**
 * Lets a program import the sources as they are: `node --import ./scripts/run-tsx.ts PROGRAM`. Node strips types but does
 * not know JSX, nor the name under which our code imports Ink's compositor.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { inkOutput } from './ink-output.ts'

registerHooks({
  resolve(specifier, context, next) {
    return next(specifier === inkOutput.specifier ? pathToFileURL(inkOutput.path).href : specifier, context)
  },
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    const { code } = transformSync(source, {
      loader: 'tsx',
      jsx: 'automatic',
      format: 'esm',
      sourcefile: url,
      sourcemap: 'inline',
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
