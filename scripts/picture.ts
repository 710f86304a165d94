/**
 * Draws pictures of the screen: `npm run picture [folder]` starts the built program in a terminal without a window, plays
 * its demo to the first gate, and writes what a person sees there as `home.svg` and `home.png`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInPty } from '../test/support/pty.ts'
import { dark } from '../themes/dark.ts'
import { build } from './build.ts'
import { toPng } from './png.ts'
import { toSvg } from './svg.ts'

const folder = process.argv[2] ?? 'docs/pictures'
const scratch = await mkdtemp(join(tmpdir(), 'agents-picture-'))
await build(process.cwd())
const screen = startInPty(process.execPath, ['dist/agents.mjs', 'demo'], {
  columns: 120,
  rows: 26,
  // The demo makes its repository in the temporary folder.
  env: { CLEVERAGENTS_DATA_DIR: join(scratch, 'data'), TMPDIR: scratch },
})
try {
  await screen.waitForText(/waits:/, 60_000)
  await chooseStrategy()
  await mkdir(folder, { recursive: true })
  const svg = toSvg(screen, { foreground: dark.foregrounds.text[0], background: dark.background })
  await writeFile(join(folder, 'home.svg'), svg)
  await writeFile(join(folder, 'home.png'), toPng(svg))
} finally {
  screen.send('q')
  await screen.waitForExit()
  screen.kill()
  await rm(scratch, { recursive: true, force: true })
}

/** Down the tree to a decision that had alternatives. */
async function chooseStrategy(): Promise<void> {
  screen.send('jjj')
  await screen.waitForText(/strategy #\d/)
}
