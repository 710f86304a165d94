import { probeConfinement } from '../../../src/infrastructure/confinement/probe-confinement.ts'
import type { CommandSurroundings } from '../../../src/infrastructure/tools/run-command.ts'

export function commandSurroundings(more: Partial<CommandSurroundings> = {}): CommandSurroundings {
  const path = process.env['PATH'] ?? ''
  return {
    environment: { PATH: path, HOME: process.env['HOME'], MY_TOKEN: 'x', GIT_DIR: '/x' },
    keyVariables: () => [],
    confinement: { mode: 'preferred', home: process.env['HOME'] ?? '/nonexistent', homeVisible: [], own: [] },
    probe: user => probeConfinement(path, user),
    defaultTimeoutSeconds: 30,
    ...more,
  }
}
