import type { LogVerdict } from '../../a2a/protocol/views/decision-log.ts'
import type { Paper } from './paper.ts'
import { oneLine, shortId } from './words.ts'

/** Each violation with its rule, and the decision by which it is found in the tree. */
export function verdictLines({ plan_name, rules, violations }: LogVerdict, paper: Paper): string[] {
  if (violations.length === 0)
    return [`${paper.paint('good', paper.marks.done)} ${plan_name} keeps ${rules.join(', ')}.`]
  return violations.map(({ rule, plan_name: name, number, decision_id, message }) => {
    const where = number === null ? name : `${name} #${number} (${shortId(decision_id ?? '')})`
    return `${paper.paint('bad', paper.marks.failed)} ${rule}: ${where}: ${oneLine(message)}`
  })
}
