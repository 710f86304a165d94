import type { Theme } from '../../themes/compile.ts'
import { formatLine, type LineParts } from './format-line.ts'
import { Row } from './Row.tsx'

/** One line over the whole width: facts on the left, what must not be cut on the right. */
export function StatusLine({ theme, ...parts }: LineParts & { theme: Theme }) {
  return <Row line={formatLine(theme, parts)} />
}
