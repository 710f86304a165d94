/**
 * Recipes made by chance, and what they make of the files of a folder when every decision is known from the start. Only
 * what a person could write: each reads variables that are set and files that are there.
 */
import fc from 'fast-check'

type RecipeNode =
  | { readonly kind: 'decide'; readonly id: string; readonly under: string | null }
  | { readonly kind: 'write'; readonly path: string; readonly of: string }
  | { readonly kind: 'edit'; readonly line: number; readonly of: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'when'; readonly of: string; readonly yes: RandomRecipe; readonly no: RandomRecipe }
  | { readonly kind: 'loop'; readonly rounds: readonly string[]; readonly steps: RandomRecipe }

type RandomRecipe = readonly RecipeNode[]

/** Enough lines between two that are edited for both edits to merge. */
export const SHARED = Array.from({ length: 8 }, (_, at) => `line ${at} ends\n\n\n\n`).join('')
export const SHARED_PATH = 'shared.txt'

/** What the recipe knows at a point: the decisions whose variables are set, and the files that are there. */
interface Scope {
  readonly ids: readonly string[]
  readonly files: readonly string[]
}

/** Each number stands for a choice, so that what fails is found again in its smallest form. */
export const randomRecipe: fc.Arbitrary<RandomRecipe> = fc
  .array(fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 5 })
  .map((rows): RandomRecipe => {
    let scope: Scope = { ids: [], files: [] }
    return rows.flatMap((row, at): RandomRecipe => {
      const stretch = stretchOf(row, `d${at}`, scope)
      scope = stretch.scope
      return stretch.nodes
    })
  })

/** One decision and the work below it. */
function stretchOf(
  [what = 0, which = 0, other = 0, under = 0]: number[],
  id: string,
  before: Scope,
): { readonly nodes: RandomRecipe; readonly scope: Scope } {
  const ids = [...before.ids, id]
  const of = pick(ids, which)
  const decide: RecipeNode = {
    kind: 'decide',
    id,
    under: under % 3 === 0 && before.ids.length > 0 ? pick(before.ids, other) : null,
  }
  const own = `${id}.txt`
  const wrote = { ids, files: [...before.files, own] }
  switch (what % 6) {
    case 0:
      return {
        nodes: [decide, { kind: 'edit', line: Number(id.slice(1)), of }],
        scope: { ...before, ids },
      }
    case 1:
      if (before.files.length === 0) break
      return {
        nodes: [decide, { kind: 'copy', from: pick(before.files, other), to: own }],
        scope: wrote,
      }
    case 2: {
      const yes: RandomRecipe = [{ kind: 'write', path: `${id}.yes`, of }]
      const no: RandomRecipe = [
        { kind: 'decide', id: `${id}n`, under: null },
        { kind: 'write', path: `${id}.no`, of: `${id}n` },
      ]
      return {
        nodes: [decide, { kind: 'when', of: pick(ids, other), yes, no }],
        scope: { ...before, ids },
      }
    }
    case 3: {
      const steps: RandomRecipe = [
        { kind: 'decide', id: `${id}r`, under: null },
        { kind: 'write', path: `${id}.round`, of: `${id}r` },
      ]
      return {
        nodes: [decide, { kind: 'loop', rounds: ['p', 'q'], steps }],
        scope: { ...before, ids },
      }
    }
    case 4:
      return {
        nodes: [decide, { kind: 'write', path: 'common.txt', of }],
        scope: { ...before, ids },
      }
  }
  return { nodes: [decide, { kind: 'write', path: own, of }], scope: wrote }
}

function pick(list: readonly string[], wish: number): string {
  return list[wish % list.length] ?? ''
}

export function recipeYaml(recipe: RandomRecipe): string {
  return `recipe: ${JSON.stringify({ execute: recipeSteps(recipe) })}\n`
}

/** As they stand in the YAML of an action. */
export function recipeSteps(recipe: RandomRecipe): object[] {
  return recipe.map(stepOf)
}

function stepOf(node: RecipeNode): object {
  switch (node.kind) {
    case 'decide':
      return {
        decide: {
          id: node.id,
          type: 'implementation_choice',
          question: `${node.id}?`,
          choose: 'x',
          ...(node.under === null ? {} : { under: node.under }),
          options: ['x', 'y'].map(id => ({ id, label: id, set: { [node.id]: id } })),
        },
      }
    case 'write':
      return tool('write_file', { path: node.path, content: `${node.of}: \${{ vars.${node.of} }}\n` })
    case 'edit':
      return tool('edit_file', {
        path: SHARED_PATH,
        find: `line ${node.line} ends`,
        replace: `line ${node.line} \${{ vars.${node.of} }} ends`,
      })
    case 'copy': {
      const name = `of_${node.to.replace('.', '_')}`
      const read = { tool: { name: 'builtin/read_file', with: { path: node.from }, as: name } }
      return when(
        'true',
        [read, tool('write_file', { path: node.to, content: `saw \${{ ${name}.content }}` })],
        [],
      )
    }
    case 'when':
      return when(`vars.${node.of} == 'y'`, node.yes.map(stepOf), node.no.map(stepOf))
    case 'loop':
      return { for_each: { over: node.rounds, as: 'round', steps: node.steps.map(stepOf) } }
  }
}

function when(condition: string, yes: object[], no: object[]): object {
  // Written so because a literal with that name looks like a promise.
  return {
    when: Object.fromEntries([
      ['if', `\${{ ${condition} }}`],
      ['then', yes],
      ['else', no],
    ]),
  }
}

function tool(name: string, input: object): object {
  return { tool: { name: `builtin/${name}`, with: input } }
}

/** The files once the recipe has run with these choices, by the key of each decision. */
export function filesAfter(
  recipe: RandomRecipe,
  chosen: ReadonlyMap<string, string>,
): { readonly files: Record<string, string>; readonly keys: string[] } {
  const files: Record<string, string> = { [SHARED_PATH]: SHARED }
  const vars = new Map<string, string>()
  const keys: string[] = []
  run(recipe, '')
  return { files, keys }

  function run(nodes: RandomRecipe, round: string): void {
    for (const node of nodes) {
      switch (node.kind) {
        case 'decide': {
          const key = `${node.id}${round}`
          keys.push(key)
          vars.set(node.id, chosen.get(key) ?? 'x')
          break
        }
        case 'write':
          files[node.path] = `${node.of}: ${vars.get(node.of)}\n`
          break
        case 'edit':
          files[SHARED_PATH] = String(files[SHARED_PATH]).replace(
            `line ${node.line} ends`,
            `line ${node.line} ${vars.get(node.of)} ends`,
          )
          break
        case 'copy':
          files[node.to] = `saw ${files[node.from]}`
          break
        case 'when':
          run(vars.get(node.of) === 'y' ? node.yes : node.no, round)
          break
        case 'loop':
          for (const at of node.rounds.keys()) run(node.steps, `${round}[${at}]`)
      }
    }
  }
}
