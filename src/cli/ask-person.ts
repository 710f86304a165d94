import { createInterface } from 'node:readline'
import type { CliHost } from './host.ts'

/** One line from a person; null where there is no terminal. Cooked mode: Ctrl-C stays a signal. */
export function askPerson(host: CliHost, question: string, signal: AbortSignal): Promise<string | null> {
  if (host.stdin.isTTY !== true || host.stderr.isTTY !== true) return Promise.resolve(null)
  host.stderr.write(question)
  const lines = createInterface({ input: host.stdin, terminal: false })
  return new Promise(resolve => {
    const answer = (text: string) => {
      resolve(text)
      lines.close()
    }
    lines.once('line', answer)
    lines.once('close', () => answer(''))
    signal.addEventListener('abort', () => lines.close(), { once: true })
  })
}
