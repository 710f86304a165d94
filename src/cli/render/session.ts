import type { SessionDetailsView, SessionView } from '../../a2a/protocol/views/session.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'
import { oneLine, shortId } from './words.ts'

export function sessionsLines(
  { sessions }: { readonly sessions: readonly SessionView[] },
  paper: Paper,
): string[] {
  const rows = sessions.map(each => [
    shortId(each.session_id),
    each.state,
    String(each.messages),
    String(each.plans.length),
    each.updated_at,
    oneLine(each.name ?? ''),
  ])
  return tableLines(
    {
      head: ['SESSION', 'STATE', 'SAID', 'PLANS', 'LAST', 'NAME'],
      rows,
      flexible: 5,
      empty: 'No sessions. Open one with: agents session create',
    },
    paper,
  )
}

export function sessionLines(session: SessionView, paper: Paper): string[] {
  const { plans } = session
  return [
    paper.paint('strong', oneLine(session.name ?? `Session ${shortId(session.session_id)}`)),
    ...factLines(
      [
        ['session', session.session_id],
        ['state', session.state],
        ['actor', session.actor ?? 'the default model'],
        ['folder', session.folder],
        ['began', session.created_at],
        ['plans', plans.length === 0 ? null : plans.map(plan => `${plan.name} (${plan.state})`).join(', ')],
      ],
      paper,
    ),
  ]
}

const NAMES = { person: 'you', actor: 'actor', tool: 'tool', summary: 'summary' } as const

export function sessionDetailsLines(session: SessionDetailsView, paper: Paper): string[] {
  const said = session.said.flatMap(({ who, text, cut }) => [
    '',
    paper.paint('muted', `${NAMES[who]}:`),
    ...text.trimEnd().split('\n'),
    ...(cut ? [paper.paint('muted', '(cut here)')] : []),
  ])
  return [...sessionLines(session, paper), ...said]
}

export function deletedLines({ session_id, plans }: SessionView): string[] {
  const left = plans.length === 0 ? [] : [`Its plans stay: ${plans.map(({ name }) => name).join(', ')}`]
  return [`Deleted session ${session_id} with everything that was said in it.`, ...left]
}

export function replyLines({ text }: { readonly text: string }, _: Paper): string[] {
  return text === '' ? [] : text.trimEnd().split('\n')
}
