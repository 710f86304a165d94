import { type Command, ended, refuse } from '../command.ts'

export const serve: Command = async context => {
  const { given: typed, host, screen } = context
  if (typed.has('http'))
    return refuse('not_available', 'serve --http is not available yet. Use serve --stdio.')
  if (!typed.has('stdio')) return refuse('invalid_input', 'serve needs a transport: agents serve --stdio.')
  return ended(await host.serveStdio(screen))
}
