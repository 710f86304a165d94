import * as z from 'zod'
import { MAX_PARALLEL, type RecipeChild, type SpawnStep } from '../../domain/actor/recipe-format.ts'
import { check, type KeyError } from '../yaml/schema-check.ts'
import type { KeyPath } from '../yaml/yaml-source.ts'
import { identifier } from './action-schema.ts'
import { decisionKeys, input, own, text } from './template-schema.ts'

/** One child, or a list of them under `parallel` or `sequential`. */
export function readSpawn(body: unknown, path: KeyPath, errors: KeyError[]): SpawnStep | null {
  const lists = (['parallel', 'sequential'] as const).filter(list => own(body, list) !== undefined)
  if (lists.length > 1) {
    errors.push({ path, message: 'has both parallel and sequential; use one step for each.' })
    return null
  }
  switch (lists[0]) {
    case 'parallel': {
      const read = check(parallelSchema, body, path, errors)
      return read && toStep('parallel', read.parallel, { ...read, maxParallel: read.max_parallel }, path)
    }
    case 'sequential': {
      const read = check(sequentialSchema, body, path, errors)
      return read && toStep('sequential', read.sequential, { ...read, maxParallel: 1 }, path)
    }
    default: {
      const read = check(oneSchema, body, path, errors)
      return read && toStep('one', [read], { ...read, maxParallel: 1 }, path)
    }
  }
}

const name = identifier.nullable().default(null)

const childKeys = { action: z.string(), args: input, guidance: text.default(null), as: name }

const spawnKeys = {
  ...decisionKeys,
  question: text.default(null),
  merge: z.enum(['three_way', 'last_wins', 'fail_on_conflict']).default('three_way'),
  as: name,
}

const oneSchema = z.strictObject({ ...spawnKeys, ...childKeys })

const ONE_CHILD = 'must name at least one child'

const parallelSchema = z.strictObject({
  ...spawnKeys,
  parallel: z
    .array(z.strictObject({ ...childKeys, after: z.array(z.string()).default([]) }))
    .min(1, ONE_CHILD),
  max_parallel: z
    .int()
    .min(1, 'must be at least 1')
    .max(MAX_PARALLEL, `must be at most ${MAX_PARALLEL}`)
    .default(5),
})

const sequentialSchema = z.strictObject({
  ...spawnKeys,
  sequential: z.array(z.strictObject(childKeys)).min(1, ONE_CHILD),
})

type ReadChild = Omit<RecipeChild, 'key' | 'after'> & Partial<Pick<RecipeChild, 'after'>>

type ReadSpawn = z.output<z.ZodObject<typeof spawnKeys>> & Pick<SpawnStep, 'maxParallel'>

function toStep(
  form: SpawnStep['form'],
  children: readonly ReadChild[],
  { merge, maxParallel, question, confidence, rationale, depends_on, under, as }: ReadSpawn,
  path: KeyPath,
): SpawnStep {
  const id = as ?? placeOf(path)
  const keyed: RecipeChild[] = []
  for (const child of children) keyed.push(toChild(child, keyed))
  const decision = { question, confidence, rationale, dependsOn: depends_on, under }
  return { kind: 'spawn', id, form, children: keyed, maxParallel, merge, ...decision, as }
}

function toChild(
  { action, args, guidance, as, after = [] }: ReadChild,
  before: readonly RecipeChild[],
): RecipeChild {
  return { key: as ?? freeKey(action, before), action, args, guidance, after, as }
}

/** `docs`, `docs-2`: the action's own name, counted where it is taken. */
function freeKey(action: string, before: readonly RecipeChild[]): string {
  const plain = action.slice(action.lastIndexOf('/') + 1)
  const isTaken = (key: string) => before.some(child => child.key === key)
  let key = plain
  for (let count = 2; isTaken(key); count++) key = `${plain}-${count}`
  return key
}

/** `execute-3-then-0`: the numbered lists on the way. */
function placeOf(path: KeyPath): string {
  return path.flatMap((part, index) => (typeof part === 'number' ? [path[index - 1], part] : [])).join('-')
}
