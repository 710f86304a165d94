/** Bytes as the keys send them. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  shiftTab: '\u001b[Z',
  backspace: '\u007f',
  delete: '\u001b[3~',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  paste: (text: string) => `\u001b[200~${text}\u001b[201~`,
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 31),
}
