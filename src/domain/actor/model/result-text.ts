/** What came of a call, as text that a model can act on. What nobody vouches for is marked as data. */
import type { Failure } from '../../failure.ts'
import { asData, withHiddenShown } from '../../model/untrusted.ts'
import type { ChildResult, Outcome } from '../actor.ts'
import { limitedText } from './limited-text.ts'

export function toolResultText(
  tool: string,
  output: Readonly<Record<string, unknown>>,
  mostCharacters: number,
): string {
  return asData(`result of ${tool}`, limitedText(withHiddenShown(plainly(output)), mostCharacters))
}

/** Texts of several lines as they are, everything else as JSON, so that a model reads files like files. */
function plainly(output: Readonly<Record<string, unknown>>): string {
  return Object.entries(output)
    .map(([name, value]) => {
      if (typeof value === 'string') return value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`
      if (Array.isArray(value) && value.length > 0)
        return [
          `${name}:`,
          ...value.map(each => (typeof each === 'string' ? each : JSON.stringify(each))),
        ].join('\n')
      return `${name}: ${JSON.stringify(value)}`
    })
    .join('\n')
}

export function failureText({ message, facts }: Failure, mostCharacters: number): string {
  const said = limitedText(withHiddenShown(message), mostCharacters)
  const more = Object.keys(facts).length === 0 ? '' : JSON.stringify(facts)
  const shown = more.length > 2 && more.length <= 4_000 ? `\n${asData('details', more)}` : ''
  return `Refused: ${said}${shown}`
}

export function checkText(
  { result, exitCode, message, report }: Extract<Outcome, { kind: 'validated' }>,
  mostCharacters: number,
): string {
  const code = exitCode === null || exitCode === 0 ? '' : ` (exit code ${exitCode})`
  const words = { passed: 'Passed', failed: 'Failed', not_run: 'Not run' }[result]
  const output = report?.output ?? ''
  const shown =
    output === ''
      ? ''
      : `\n${asData('output of the check', limitedText(withHiddenShown(output), mostCharacters))}`
  const said = result === 'not_run' ? message.replace(/^not run: /, '') : message
  return `${words}${code}: ${withHiddenShown(said)}${shown}`
}

export function childrenText(children: readonly ChildResult[]): string {
  const lines = children.map(({ key, state, changes }) => {
    const changed =
      changes === null ? '' : `, ${changes.files} files, +${changes.additions} -${changes.deletions}`
    return `- ${key}: ${state}${changed}`
  })
  return ['The child plans have ended. What the complete ones changed is in your sandbox.', ...lines].join(
    '\n',
  )
}

export function answerText(
  { optionId, note }: Extract<Outcome, { kind: 'answered' }>,
  options: readonly { readonly id: string; readonly label: string }[],
): string {
  const option = options.find(({ id }) => id === optionId)
  const said = [...(optionId === null ? [] : [option?.label ?? optionId]), ...(note ? [note] : [])]
  return said.length === 0
    ? 'The person gave no answer. Decide yourself, or finish.'
    : `The person says: ${said.join('. ')}`
}
