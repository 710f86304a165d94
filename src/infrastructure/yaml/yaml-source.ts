// A YAML reader that keeps the offset of every node, so that every error can name its line.
import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml'

export type KeyPath = readonly (string | number)[]

export interface Position {
  readonly line: number
  readonly column: number
}

export interface YamlDocument {
  readonly value: unknown
  /** Where a key, or an item of a list, stands; for a missing one where its nearest parent stands. From 1. */
  positionOf(path: KeyPath): Position
}

export type YamlReading =
  | { readonly ok: true; readonly document: YamlDocument }
  | { readonly ok: false; readonly message: string; readonly position: Position }

/** Reads one document of plain JSON values. Aliases are refused: the files are read by people from top to bottom. */
export function readYaml(text: string): YamlReading {
  try {
    const events = parseEvents(text, {})
    const values = constructFromEvents(events, { source: text, maxAliases: 0 })
    if (values.length !== 1)
      return fault(
        values.length === 0 ? 'the file is empty' : 'the file holds more than one document',
        text,
        0,
      )
    const starts = nodeStarts(events, text)
    return {
      ok: true,
      document: { value: values[0], positionOf: path => positionAt(text, startOf(starts, path)) },
    }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const position = error.mark?.position ?? 0
    // The mark of an alias stands behind its asterisk.
    if (error.reason.startsWith('aliases exceeded'))
      return fault('aliases (*name) are not supported', text, position - 1)
    return fault(error.reason, text, position)
  }
}

/** The line and column of an offset, both from 1. A byte order mark takes no column. */
function positionAt(text: string, offset: number): Position {
  const before = text.slice(text.startsWith('\ufeff') ? 1 : 0, offset).split(/\r\n|\n|\r/)
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function fault(message: string, text: string, offset: number): YamlReading {
  return { ok: false, message, position: positionAt(text, offset) }
}

function startOf(starts: ReadonlyMap<string, number>, path: KeyPath): number {
  for (let length = path.length; length > 0; length--) {
    const start = starts.get(JSON.stringify(path.slice(0, length)))
    if (start !== undefined) return start
  }
  return starts.get('[]') ?? 0
}

interface Container {
  readonly path: KeyPath
  readonly kind: 'document' | 'sequence' | 'mapping'
  items: number
  /** Set between a mapping's key and its value. */
  key: string | null
}

/** Offsets by path: of a key in a mapping, of an item in a list, of the root. */
function nodeStarts(events: readonly Event[], text: string): Map<string, number> {
  const starts = new Map<string, number>()
  const open: Container[] = []
  for (const event of events) {
    const parent = open.at(-1)
    if (event.type === EVENT_ID.POP) open.pop()
    else if (event.type === EVENT_ID.DOCUMENT) open.push({ path: [], kind: 'document', items: 0, key: null })
    else if (parent?.kind === 'mapping' && parent.key === null) {
      parent.key = scalarText(event, text)
      starts.set(JSON.stringify([...parent.path, parent.key]), startOfEvent(event))
    } else if (parent) openNode(event, parent, open, starts)
  }
  return starts
}

function openNode(event: Event, parent: Container, open: Container[], starts: Map<string, number>): void {
  const path = childPath(parent)
  const known = starts.has(JSON.stringify(path))
  if (!known) starts.set(JSON.stringify(path), startOfEvent(event))
  parent.items++
  parent.key = null
  if (event.type === EVENT_ID.SEQUENCE) open.push({ path, kind: 'sequence', items: 0, key: null })
  if (event.type === EVENT_ID.MAPPING) open.push({ path, kind: 'mapping', items: 0, key: null })
}

function childPath(parent: Container): KeyPath {
  if (parent.kind === 'document') return []
  return [...parent.path, parent.kind === 'mapping' ? (parent.key ?? '') : parent.items]
}

function startOfEvent(event: Event): number {
  if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) return event.start
  if (event.type !== EVENT_ID.SCALAR) return 0
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  return quoted ? event.valueStart - 1 : event.valueStart
}

/** Keys of mappings are scalars; anything else was refused when the value was built. */
function scalarText(event: Event, text: string): string {
  return event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : ''
}
