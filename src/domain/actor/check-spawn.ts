import type { Action } from '../action.ts'
import { typedValue } from '../arguments.ts'
import { spellingsOf } from '../name.ts'
import { suggest } from '../nearest.ts'
import type { RecipeProblem } from './check-template.ts'
import type { RecipeChild, SpawnStep, Template } from './recipe-format.ts'
import { own } from './recipe-state.ts'
import { expressionsIn } from './template.ts'

/** The actions that a recipe can start, found by name. Asked only where a recipe starts any. */
export interface KnownActions {
  names(): readonly string[]
  /** By its whole name. */
  find(name: string): KnownAction | null
}

export type KnownAction = Pick<Action, 'name' | 'arguments' | 'readOnly'>

/** That the actions of the children exist and take what they are given, and that none waits for itself. */
export function spawnProblems(
  { form, children }: SpawnStep,
  path: RecipeProblem['path'],
  around: { readonly actions: KnownActions; readonly readOnly: boolean },
): RecipeProblem[] {
  const places = children.map((child, index) => ({
    child,
    path: form === 'one' ? path : [...path, form, index],
    before: children.slice(0, index),
  }))
  return [
    ...places.flatMap(({ child, path: at, before }) => [
      ...actionProblems(child, at, around),
      ...keyProblems(child, at, before),
      ...siblingProblems(child, at, children),
    ]),
    ...circleProblems(children, path),
  ]
}

function actionProblems(
  { action, args }: RecipeChild,
  path: RecipeProblem['path'],
  { actions, readOnly }: { readonly actions: KnownActions; readonly readOnly: boolean },
): RecipeProblem[] {
  const known = spellingsOf(action).flatMap(name => actions.find(name) ?? [])[0]
  const at = [...path, 'action']
  if (!known)
    return [{ path: at, message: `There is no action ${action}. ${suggest(action, actions.names())}` }]
  const problems = argumentProblems(known, args, path)
  if (!readOnly || known.readOnly) return problems
  return [{ path: at, message: `${known.name} can write, and this action is read_only.` }, ...problems]
}

function argumentProblems(
  { name, arguments: definitions }: KnownAction,
  args: RecipeChild['args'],
  path: RecipeProblem['path'],
): RecipeProblem[] {
  const names = definitions.map(definition => definition.name)
  const missing = definitions.filter(
    ({ name: wanted, required, default: standard }) =>
      required && standard === null && (own(args, wanted) ?? null) === null,
  )
  const given = Object.entries(args).flatMap(([key, value]) => {
    const definition = definitions.find(each => each.name === key)
    const at = [...path, 'args', key]
    if (!definition) return [{ path: at, message: `${name} has no argument ${key}. ${suggest(key, names)}` }]
    if (isComputed(value) || value === null) return []
    const typed = typedValue(definition, value)
    return typed.ok ? [] : [{ path: at, message: typed.failure.message }]
  })
  const absent = missing.map(definition => ({
    path: [...path, 'args'],
    message: `${name} needs the argument ${definition.name}.`,
  }))
  return [...given, ...absent]
}

/** Known only when it is started. */
function isComputed(value: Template): boolean {
  return expressionsIn(value).length > 0
}

function keyProblems(
  { key }: RecipeChild,
  path: RecipeProblem['path'],
  before: readonly RecipeChild[],
): RecipeProblem[] {
  if (!before.some(sibling => sibling.key === key)) return []
  return [{ path: [...path, 'as'], message: `${key} is already the name of another child.` }]
}

function siblingProblems(
  child: RecipeChild,
  path: RecipeProblem['path'],
  children: readonly RecipeChild[],
): RecipeProblem[] {
  const others = [...new Set(children.map(({ key }) => key))].filter(key => key !== child.key)
  return child.after.flatMap((key, index) => {
    const at = [...path, 'after', index]
    if (key === child.key) return [{ path: at, message: `${key} cannot wait for itself.` }]
    if (others.includes(key)) return []
    return [{ path: at, message: `There is no child ${key} here. ${suggest(key, others)}` }]
  })
}

/** One sentence a circle; a child that waits for itself has one of its own. */
function circleProblems(children: readonly RecipeChild[], path: RecipeProblem['path']): RecipeProblem[] {
  const after = new Map(
    children.map(({ key, after: names }) => [key, names.filter(name => name !== key)] as const),
  )
  const seen = new Set<string>()
  for (const { key } of children) {
    const circle = circleFrom(key, after, seen, [])
    if (circle)
      return [{ path: [...path, 'parallel'], message: `These wait for each other: ${circle.join(', ')}.` }]
  }
  return []
}

/** Depth first; what was seen to its end lies in no circle. */
function circleFrom(
  key: string,
  after: ReadonlyMap<string, readonly string[]>,
  seen: Set<string>,
  way: readonly string[],
): readonly string[] | null {
  if (way.includes(key)) return way.slice(way.indexOf(key))
  if (seen.has(key)) return null
  for (const next of after.get(key) ?? []) {
    const circle = circleFrom(next, after, seen, [...way, key])
    if (circle) return circle
  }
  seen.add(key)
  return null
}
