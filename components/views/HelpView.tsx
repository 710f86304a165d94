import { pageInside } from '../layout.ts'
import { linesFrom } from '../look.ts'
import { helpRows } from './help-rows.ts'
import { TextPage } from './page.tsx'
import type { ViewProps } from './view.ts'

export function HelpView(props: ViewProps & { top: number }) {
  const { situation, look } = props
  const { size } = situation.ui
  const { width, height } = pageInside(size)
  const rows = helpRows(props, width)
  const top = Math.max(0, Math.min(props.top, rows.length - height))
  return (
    <TextPage
      look={look}
      size={size}
      title="All keys"
      lines={linesFrom(look, rows, { top, width, height })}
    />
  )
}
