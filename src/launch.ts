#!/usr/bin/env node
/**
 * The binary `agents`, before anything else of ours is read. Any Node may be asked to run it, so it keeps to the
 * syntax of Node 14 and imports nothing until the version is known to be new enough: a native module built for a
 * newer Node would end an older one with a message nobody can act on.
 */
const NEEDED_MAJOR = 22

start()

function start(): void {
  const running = process.versions.node
  if (Number.parseInt(running, 10) < NEEDED_MAJOR) refuseVersion(running)
  else void loadMain()
}

function refuseVersion(running: string): void {
  process.stderr.write(
    `agents needs Node ${NEEDED_MAJOR} or newer; this is Node ${running} (${process.execPath}).\n` +
      `Get it from https://nodejs.org, or with a version manager: "nvm install ${NEEDED_MAJOR}", "fnm install ${NEEDED_MAJOR}", ` +
      `"volta install node@${NEEDED_MAJOR}". Then run agents again.\n`,
  )
  process.exitCode = 2
}

async function loadMain(): Promise<void> {
  const [nodeModule, os, path] = await Promise.all([
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ])
  // Not the default folder below the shared temporary one: what is in this cache is run as code.
  const cacheHome = process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache')
  if (nodeModule.enableCompileCache)
    nodeModule.enableCompileCache(path.join(cacheHome, 'cleveragents', 'compile'))
  await import('./main.ts')
}
