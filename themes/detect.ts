import type { ColourDepth } from './compile.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the terminal says it can show. `NO_COLOR` and the option win over everything else. */
export function detectColourDepth(env: Environment, option: 'auto' | 'never' = 'auto'): ColourDepth {
  if (option === 'never' || (env.NO_COLOR ?? '') !== '') return 'none'
  const term = env.TERM ?? ''
  if (term === '' || term === 'dumb') return 'none'
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '') || /-(direct|truecolor)$/.test(term))
    return 'truecolor'
  if (/256color|^xterm-(kitty|ghostty)$|^alacritty$|^foot/.test(term)) return '256'
  return '16'
}

/** Whether the locale can carry more than ASCII. */
export function detectCharset(env: Environment): 'unicode' | 'ascii' {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale) && env.TERM !== 'linux' ? 'unicode' : 'ascii'
}

/** Terminals that tell their background do it in the last field of COLORFGBG; 7 and 15 are the light ones. */
export function detectBackground(env: Environment): 'dark' | 'light' {
  const background = env.COLORFGBG?.split(';').at(-1)
  return background === '7' || background === '15' ? 'light' : 'dark'
}
