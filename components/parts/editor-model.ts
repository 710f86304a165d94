import { graphemesOf } from '../../src/text/cells.ts'
import type { KeyEvent, PasteEvent } from '../terminal/input-event.ts'

/** Text being typed. `at` is where the next character goes, always between two graphemes. */
export type Editor = { text: string; at: number; lines: 'one' | 'many' }

type Edit = (editor: Editor) => Editor

export function createEditor(lines: Editor['lines'], text = ''): Editor {
  return { text, at: text.length, lines }
}

/** The editor after an event, or nothing when the event is not for it (Enter, Esc, Tab and the like). */
export function editorInput(editor: Editor, event: KeyEvent | PasteEvent): Editor | undefined {
  if (event.type === 'paste') return insertText(editor, event.text)
  if (event.phase === 'release') return undefined
  if (event.name === 'enter') return enter(editor, event)
  if (event.text !== '' && !event.ctrl && !event.alt) return insertText(editor, event.text)
  return edits[editId(event)]?.(editor)
}

/** One insertion, however much it is. A field of one line keeps everything on it. */
function insertText(editor: Editor, text: string): Editor {
  const typed = editor.lines === 'one' ? text.replace(/\s*\n\s*/g, ' ') : text
  const before = editor.text.slice(0, editor.at) + typed
  return { ...editor, text: before + editor.text.slice(editor.at), at: before.length }
}

/**
 * Alt+Enter breaks the line. So does Enter in the middle of a burst: where the terminal does not mark pastes, their
 * line ends arrive like that and must not send the text off.
 */
function enter(editor: Editor, event: KeyEvent): Editor | undefined {
  const isBurst = event.of > 1
  if (editor.lines === 'one') return isBurst ? insertText(editor, ' ') : undefined
  return event.alt || event.shift || isBurst ? insertText(editor, '\n') : undefined
}

function editId(event: KeyEvent): string {
  return `${event.ctrl ? 'ctrl+' : ''}${event.alt ? 'alt+' : ''}${event.name}`
}

const edits: Record<string, Edit> = {
  left: editor => moveTo(editor, previousGrapheme(editor)),
  right: editor => moveTo(editor, nextGrapheme(editor)),
  'ctrl+left': editor => moveTo(editor, wordStart(editor)),
  'alt+left': editor => moveTo(editor, wordStart(editor)),
  'alt+b': editor => moveTo(editor, wordStart(editor)),
  'ctrl+right': editor => moveTo(editor, wordEnd(editor)),
  'alt+right': editor => moveTo(editor, wordEnd(editor)),
  'alt+f': editor => moveTo(editor, wordEnd(editor)),
  home: editor => moveTo(editor, lineStart(editor)),
  'ctrl+a': editor => moveTo(editor, lineStart(editor)),
  end: editor => moveTo(editor, lineEnd(editor)),
  up: editor => moveByLine(editor, -1),
  down: editor => moveByLine(editor, 1),
  backspace: editor => cut(editor, previousGrapheme(editor), editor.at),
  delete: editor => cut(editor, editor.at, nextGrapheme(editor)),
  'ctrl+d': editor => cut(editor, editor.at, nextGrapheme(editor)),
  'ctrl+w': editor => cut(editor, wordStart(editor), editor.at),
  'alt+backspace': editor => cut(editor, wordStart(editor), editor.at),
  'alt+d': editor => cut(editor, editor.at, wordEnd(editor)),
  'ctrl+u': editor => cut(editor, lineStart(editor), editor.at),
  'ctrl+k': editor => cut(editor, editor.at, lineEnd(editor)),
}

function moveTo(editor: Editor, at: number): Editor {
  return { ...editor, at }
}

function cut(editor: Editor, from: number, to: number): Editor {
  return { ...editor, text: editor.text.slice(0, from) + editor.text.slice(to), at: from }
}

function previousGrapheme({ text, at }: Editor): number {
  return at - (graphemesOf(text.slice(0, at)).at(-1)?.length ?? 0)
}

function nextGrapheme({ text, at }: Editor): number {
  return at + (graphemesOf(text.slice(at))[0]?.length ?? 0)
}

function wordStart({ text, at }: Editor): number {
  return Math.max(0, text.slice(0, at).search(/[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$|[^\p{L}\p{N}_]+$/u))
}

function wordEnd({ text, at }: Editor): number {
  const word = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(at))
  return at + (word?.[0].length ?? 0)
}

function lineStart({ text, at }: Editor): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd({ text, at }: Editor): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function moveByLine(editor: Editor, step: -1 | 1): Editor {
  const start = lineStart(editor)
  const column = graphemesOf(editor.text.slice(start, editor.at)).length
  const target = step < 0 ? start - 1 : lineEnd(editor) + 1
  // Beyond the first or last line the cursor goes to its very end, as elsewhere.
  if (target < 0) return moveTo(editor, 0)
  if (target > editor.text.length) return moveTo(editor, editor.text.length)
  const line = { ...editor, at: target }
  const from = lineStart(line)
  const graphemes = graphemesOf(editor.text.slice(from, lineEnd(line)))
  return moveTo(editor, from + graphemes.slice(0, column).join('').length)
}
