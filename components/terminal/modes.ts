export type ModeOptions = {
  /** Wheel and clicks; takes the terminal's own selection away, so it is a setting. */
  mouse: boolean
}

const pasteOn = '\u001b[?2004h'
const focusOn = '\u001b[?1004h'
const mouseOn = '\u001b[?1000h\u001b[?1006h'

/** Sent at once: nothing of it is seen, and a paste before the first frame is already told from typing. */
export const earlyModes = pasteOn

/**
 * Sent with the first frame, so that the shell's text stays until there is something to show. Wrapping is off: a row whose
 * width the terminal sees differently damages itself and not the next one.
 */
export function screenModes({ mouse }: ModeOptions): string {
  return `\u001b[?1049h\u001b[?25l\u001b[?7l${pasteOn}${focusOn}${mouse ? mouseOn : ''}`
}

/** Undoes everything above, and a frame that was cut off half-way. */
export function restoreModes(had: 'earlyModes' | 'screenModes'): string {
  if (had === 'earlyModes') return '\u001b[?2004l'
  return '\u001b[?2026l\u001b[?7h\u001b[?1000l\u001b[?1006l\u001b[?1004l\u001b[?2004l\u001b[0m\u001b[?25h\u001b[?1049l'
}
