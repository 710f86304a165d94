export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function isShell(text: string): text is Shell {
  return shells.some(shell => shell === text)
}
