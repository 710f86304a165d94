const esc = '\u001b'

/** Erasing the whole screen, or all of it below its first line. */
export const eraseScreen = new RegExp(`${esc}\\[([23]J|H${esc}\\[0?J)`)

/** Private modes that are not as a terminal has them when it starts: wrapping at the margin and the cursor on, all else off. */
export function changedModes(output: string): string[] {
  const last = new Map<string, string>()
  for (const [, modes = '', set = ''] of output.matchAll(new RegExp(`${esc}\\[\\?([\\d;]+)([hl])`, 'g')))
    for (const mode of modes.split(';')) last.set(mode, set)
  const isUsuallyOn = (mode: string) => mode === '7' || mode === '25'
  return [...last].filter(([mode, set]) => (set === 'h') !== isUsuallyOn(mode)).map(([mode]) => mode)
}
