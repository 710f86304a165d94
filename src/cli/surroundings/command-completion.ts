import { type Command, done, refuse } from '../command.ts'
import { completionScript } from './completion.ts'
import { isShell, shells } from './shells.ts'

export const completion: Command = async ({ given: typed }) => {
  const shell = typed.one('shell')
  if (!isShell(shell))
    return refuse('invalid_input', `There is no completion for ${shell}. Known: ${shells.join(', ')}.`)
  const script = completionScript(shell)
  return done({ shell, script }, data => data.script.trimEnd().split('\n'), {
    bytes: new TextEncoder().encode(script),
  })
}
