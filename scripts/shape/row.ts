import type { SgNode } from '@ast-grep/napi'
import { lineOf, type SourceFile } from '../source-files.ts'

/** One line of the shape: a number to notice, and where it comes from. */
export interface Row {
  readonly what: string
  /** Each as `path:line detail`; their count is the number, unless a value says more. */
  readonly found: readonly string[]
  readonly value?: string
}

export function place(file: SourceFile, node: SgNode, detail = ''): string {
  return `${file.path}:${lineOf(node)} ${detail}`.trimEnd()
}
