import { createHash } from 'node:crypto'

/** Names of tools as providers take them, and back. The only place that knows both. */
export interface ToolNames {
  toWire(name: string): string
  /** A name that was never offered comes back as the model probably meant it. */
  fromWire(name: string): string
}

const LONGEST = 64

/** `known`: every tool that is offered. */
export function toolNames(known: readonly string[]): ToolNames {
  const byWire = new Map(known.map(name => [wireName(name), name]))
  return {
    toWire: wireName,
    fromWire: name => byWire.get(name) ?? name.replace('__', '/'),
  }
}

/** `builtin/read_file` is `builtin__read_file`; a name that could not be told from another gets a digest. */
function wireName(name: string): string {
  const plain = name.replace('/', '__').replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  const isPlain = plain.replace('__', '/') === name || (plain === name && !name.includes('__'))
  if (isPlain && plain.length <= LONGEST) return plain
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${plain.slice(0, LONGEST - digest.length - 1)}_${digest}`
}
