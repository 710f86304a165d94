import type { ActorView } from '../../a2a/protocol/views/actor.ts'
import { section } from './explain.ts'
import type { Paper } from './paper.ts'
import { factLines } from './table.ts'

const LISTED = 40

export function actorLines(actor: ActorView, paper: Paper): string[] {
  const { provider, models } = actor
  const facts = [
    ['what', actor.description],
    ['cannot run', actor.problem],
    ['server', provider?.endpoint ?? null],
    ['key', provider && (provider.key_from ?? 'none')],
    ['default', provider?.default_model ? `${provider.name}/${provider.default_model}` : null],
    ['context', actor.context_tokens === null ? null : `${actor.context_tokens} tokens`],
    ['answer', actor.max_output_tokens === null ? null : `at most ${actor.max_output_tokens} tokens`],
    ['price', actor.context_tokens === null ? null : priceText(actor.price)],
    ['models', actor.models_problem],
  ] as const
  return [
    paper.paint('strong', actor.name),
    ...factLines(facts, paper),
    ...section('Models', modelLines(provider?.name ?? '', models ?? []), paper),
  ]
}

function priceText(price: ActorView['price']): string {
  if (price === null) return 'unknown; set it in the settings file, see docs/models.md'
  const { input, output, as_of, source } = price
  const where = source === 'setting' ? 'as set' : 'from the table'
  return `$${input} in, $${output} out for a million tokens (${where}, ${as_of})`
}

function modelLines(provider: string, models: readonly string[]): string[] {
  const names = models.slice(0, LISTED).map(name => `${provider}/${name}`)
  return models.length > LISTED ? [...names, `… and ${models.length - LISTED} more (--format json)`] : names
}
