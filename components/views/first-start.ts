import type { HealthView } from '../../src/a2a/protocol/views/health.ts'
import { type Look, wrapped } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import type { ViewProps } from './view.ts'

const what =
  'CleverAgents runs plans on your repository: it decides step by step, asks you where its profile says so, works in a ' +
  'sandbox, and changes your files only when you apply.'

/** The first thing a newcomer sees: what this is, three keys, and what protects the folder. */
export function firstStartRows({ shelves, look }: ViewProps, width: number): Segment[][] {
  const health = shelves.diagnostics.peek('here')
  return [
    [],
    ...wrapped(what, width - 2, 'text', 1),
    [],
    key('D', 'try the demo'),
    key('n', 'new plan'),
    key('?', 'all keys'),
    [],
    [{ text: ' Protections here', tone: 'heading' }],
    ...(health?.kind === 'ready'
      ? protections(health.value).flatMap(check => checkRows(look, check, width))
      : wrapped(
          health?.kind === 'failed' ? health.message : 'Looking at what works on this machine',
          width - 2,
          'muted',
          1,
        )),
  ]
}

/** What is merely good to know is the doctor's. */
function protections({ checks }: HealthView): HealthView['checks'] {
  return checks.filter(({ status }) => status !== 'info')
}

function key(name: string, label: string): Segment[] {
  return [
    { text: `   ${name}  `, tone: 'key' },
    { text: label, tone: 'text' },
  ]
}

function checkRows(
  look: Look,
  check: { name: string; status: string; message: string },
  width: number,
): Segment[][] {
  const isFine = check.status === 'ok' || check.status === 'info'
  const [first = [], ...rest] = wrapped(
    `${check.name}: ${check.message}`,
    width - 4,
    isFine ? 'text' : 'warning',
  )
  const mark: Segment = isFine
    ? { text: ` ${look.glyphs.done} `, tone: 'success' }
    : { text: ` ${look.glyphs.failed} `, tone: check.status === 'warn' ? 'warning' : 'danger' }
  return [[mark, ...first], ...rest.map(row => [{ text: '   ' }, ...row])]
}
