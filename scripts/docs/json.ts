import { errorTypeTable, exitCodeTable } from './exit-codes.ts'
import { guideWith } from './section.ts'

export function jsonGuide(): string {
  return guideWith('docs/json.md', { 'exit codes': exitCodeTable, 'error types': errorTypeTable })
}
