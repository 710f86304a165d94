import { resolve } from 'node:path'

/**
 * For the environment of the built program: all tests share the code it has compiled, wherever its home is. It lies in
 * `dist`, so that a build clears it away with the chunks it is for.
 */
export const sharedCompileCache = { XDG_CACHE_HOME: resolve('dist/.cache') }
