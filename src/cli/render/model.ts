import type { MessagesView, MessageView } from '../../a2a/protocol/views/message.ts'
import type { StrategyView } from '../../a2a/protocol/views/strategy.ts'
import type { Paper } from './paper.ts'

export function strategyLines(
  { plan_name, revision, edited_by, text }: StrategyView,
  paper: Paper,
): string[] {
  const by = edited_by === null ? '' : `, edited by ${edited_by}`
  return [paper.paint('muted', `Strategy of ${plan_name}, revision ${revision}${by}`), ...text.split('\n')]
}

/** Each message whole: what models were told is what people read here. */
export function messagesLines({ plan_name, total, messages }: MessagesView, paper: Paper): string[] {
  if (total === 0) return [`Nothing was said to a model in ${plan_name}.`]
  const left = total - messages.length
  return [
    ...(left > 0 ? [`${left} older ones are left out; --limit ${total} shows all.`] : []),
    ...messages.flatMap((message, at) => [
      ...(at === 0 ? [] : ['']),
      paper.paint(message.is_present ? 'strong' : 'muted', headOf(message)),
      ...bodyOf(message).map(line => `  ${line}`),
    ]),
  ]
}

function headOf({ role, message_id, at, is_cut, is_present }: MessageView): string {
  const marks = [is_cut ? 'cut short' : null, is_present ? null : 'not in the present line']
  return [`${role} ${message_id.slice(0, 12)}`, at, ...marks].filter(Boolean).join('  ')
}

function bodyOf({ text, tool_calls, tool_results }: MessageView): string[] {
  return [
    ...(text === '' ? [] : text.split('\n')),
    ...tool_calls.flatMap(({ tool, input }) => [`calls ${tool}`, ...indented(input)]),
    ...tool_results.flatMap(result => [
      `${result.tool} ${result.is_error ? 'was refused' : 'answered'}`,
      ...indented(result.text),
    ]),
  ]
}

function indented(text: string): string[] {
  return text.split('\n').map(line => `  ${line}`)
}
