import type { ReactNode } from 'react'
import type { Size } from '../../stores/ui.ts'
import { pageInside } from '../layout.ts'
import type { Look } from '../look.ts'
import { Pane } from '../parts/Pane.tsx'
import { Rows } from '../parts/Row.tsx'

/** A view that takes the whole window between header and hints. */
export function Page({
  look,
  size,
  title,
  children,
}: {
  look: Look
  size: Size
  title: string
  children: ReactNode
}) {
  const { width, height } = pageInside(size)
  return (
    <Pane
      theme={look.theme}
      glyphs={look.glyphs}
      width={width + 2}
      height={height + 2}
      title={title}
      isFocused
    >
      {children}
    </Pane>
  )
}

export function TextPage({
  look,
  size,
  title,
  lines,
}: {
  look: Look
  size: Size
  title: string
  lines: readonly string[]
}) {
  return (
    <Page look={look} size={size} title={title}>
      <Rows lines={lines} {...pageInside(size)} />
    </Page>
  )
}
