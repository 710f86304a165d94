import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The name under which our code imports Ink's compositor, and the file it stands for. Ink does not export the file, so
 * every way of running our sources (bundle, tests, benches) is told; all must reach the same instance that Ink loads.
 */
export const inkOutput = {
  specifier: '#ink-output',
  path: join(dirname(createRequire(import.meta.url).resolve('ink')), 'output.js'),
}
