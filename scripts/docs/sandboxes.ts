import type { SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../src/infrastructure/sandboxes/index.ts'
import { code, guideWith } from './section.ts'

/** What each strategy is worth, in its own sentences: those that a person sees beside a plan. */
export function sandboxGuide(): string {
  return guideWith('docs/sandbox.md', { strategies })
}

function strategies(): string {
  const host = { process: { pid: 0, startedAt: '' }, isAlive: () => false }
  return createSandboxes({ stateDir: '/nonexistent', environment: {}, host })
    .list()
    .map(sectionOf)
    .join('\n\n')
}

function sectionOf({ name, protects, doesNotProtect }: SandboxStrategy): string {
  return [`### ${code(name)}`, listed('Protected', protects), listed('Not protected', doesNotProtect)].join(
    '\n\n',
  )
}

function listed(title: string, sentences: readonly string[]): string {
  return [`${title}:\n`, ...sentences.map(sentence => `- ${sentence}`)].join('\n')
}
