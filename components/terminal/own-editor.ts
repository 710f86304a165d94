/** A text in the person's own editor: a file that only they can read, and what it was saved as. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Terminal } from './open-terminal.ts'

export type Edited =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly message: string }

export async function editInOwnEditor(
  text: string,
  { env, terminal }: { readonly env: NodeJS.ProcessEnv; readonly terminal: Pick<Terminal, 'handOver'> },
): Promise<Edited> {
  const command = env['VISUAL'] || env['EDITOR']
  if (!command) return { kind: 'problem', message: 'Set EDITOR (or VISUAL) to the editor that you use.' }
  const folder = await mkdtemp(join(tmpdir(), 'agents-text-'))
  const file = join(folder, 'text.md')
  try {
    await writeFile(file, text === '' ? '' : `${text}\n`, { mode: 0o600 })
    const problem = await terminal.handOver(() => runEditor(command, file, env))
    if (problem !== null) return { kind: 'problem', message: problem }
    return { kind: 'text', text: (await readFile(file, 'utf8')).trimEnd() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Through the shell, as git does it: the setting may have arguments of its own, `code --wait` say. */
function runEditor(command: string, file: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const child = spawn('/bin/sh', ['-c', `${command} "$1"`, command, file], { env, stdio: 'inherit' })
  return new Promise(settle => {
    child.on('error', error => settle(`${command} could not be started: ${error.message}`))
    child.on('close', code =>
      settle(code === 0 ? null : `${command} ended with code ${code}; nothing was taken over.`),
    )
  })
}
