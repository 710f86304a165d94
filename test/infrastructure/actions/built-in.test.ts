import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Action } from '../../../src/domain/action.ts'
import type { Actor, ActorRequest, Brief, Outcome, Turn } from '../../../src/domain/actor/actor.ts'
import { bindArguments } from '../../../src/domain/arguments.ts'
import { openActionLibrary } from '../../../src/infrastructure/actions/index.ts'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'
import { createActors } from '../../../src/infrastructure/actors/index.ts'
import { builtinTools } from '../../../src/infrastructure/tools/index.ts'
import { toolContext } from '../../contracts/tool.ts'
import { modelsOf } from '../../support/models.ts'
import { brief, decisionId } from '../../support/recipe-driver.ts'
import { commandSurroundings } from '../tools/command-surroundings.ts'

const expressions = createCel()
const tools = builtinTools(commandSurroundings())
const actors = createActors({ expressions, models: modelsOf({}), tools: [], maxMalformed: () => 3 })
const library = openActionLibrary({ tools, expressions }, actors)

function action(name: string): Action {
  const found = library.builtIn().find(each => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

describe('the built-in actions', () => {
  it('can all be read, once, and keep their own namespace', () => {
    const names = library.builtIn().map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'builtin/codemod',
        'builtin/replace-text',
        'builtin/run-checks',
        'builtin/task',
      ]),
    )
    expect(names.every(name => name.startsWith('builtin/'))).toBe(true)
    expect(library.builtIn()).toBe(library.builtIn())
  })

  it('are available, save those that need a model, which say so', () => {
    expect(library.unavailable(action('builtin/replace-text'))).toBeNull()
    expect(library.unavailable(action('builtin/run-checks'))).toBeNull()
    expect(library.unavailable(action('builtin/task'))).toMatch(
      /^No model can be used yet\.[\s\S]*ANTHROPIC_API_KEY[\s\S]*OLLAMA_HOST[\s\S]*builtin\/replace-text/,
    )
  })

  it('that only run checks are read-only', () => {
    expect(action('builtin/run-checks').readOnly).toBe(true)
  })
})

describe('an action of a user', () => {
  const text = `name: mine
description: d
definition_of_done: d
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
    - for_each: {over: "\${{ [1] }}", as: n, steps: [{spawn: {action: replace-text, args: {find: a, replace: b}}}]}
`

  it('that starts child plans can be used', () => {
    const parsed = library.parse(text, 'mine.yaml', [])
    if (!parsed.ok) throw new Error(parsed.failure.message)
    expect(library.unavailable(parsed.value)).toBeNull()
  })

  it('cannot take a name of ours', () => {
    expect(library.parse(text.replace('name: mine', 'name: builtin/task'), 'mine.yaml', []).ok).toBe(false)
  })
})

describe('playing a built-in action with the real tools', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'built-in-action-'))
    write('src/shop.ts', 'const cart = openCart(cartId)\nconsole.log( cart )\n')
    write('src/cart.test.ts', 'cart()\n')
    write('docs/cart.md', 'The cart.\n')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }

  function read(path: string): string {
    return readFileSync(join(root, path), 'utf8')
  }

  /** Both phases; each decision is answered by `choices` where it names one. */
  async function play(
    name: string,
    args: readonly string[],
    choices: Readonly<Record<string, string>> = {},
    more: Partial<Brief> = {},
  ) {
    const used = action(name)
    const bound = bindArguments(used.arguments, { kind: 'texts', texts: args })
    const actor = actors.forAction(used, 'execute')
    if (!bound.ok || !actor.ok) throw new Error(JSON.stringify([bound, actor]))
    const told = brief({ action: name, args: bound.value, ...more })
    const strategy = await phase(actor.value, { ...told, phase: 'strategize' }, choices)
    const execute = await phase(actor.value, { ...told, strategyState: strategy.state }, choices)
    return { strategize: strategy.requests, execute: execute.requests }
  }

  async function phase(actor: Actor, told: Brief, choices: Readonly<Record<string, string>>) {
    const context = { brief: told, signal: new AbortController().signal, emit: () => {} }
    const requests: ActorRequest[] = []
    let turn: Turn = await actor.next(actor.start(told), { kind: 'none' }, context)
    for (;;) {
      requests.push(turn.request)
      const outcome = await answer(turn.request, choices)
      if (!outcome) return { state: turn.state, requests }
      turn = await actor.next(turn.state, outcome, context)
    }
  }

  async function answer(
    request: ActorRequest,
    choices: Readonly<Record<string, string>>,
  ): Promise<Outcome | null> {
    if (request.kind === 'record_decision')
      return { kind: 'decided', decisionId, optionId: choices[request.key] ?? request.chosen }
    if (request.kind === 'validate')
      return { kind: 'validated', result: 'passed', exitCode: 0, message: 'passed', report: null }
    if (request.kind !== 'call_tool') return null
    const tool = tools.find(({ name }) => name === request.tool)
    const result = await tool?.run(request.input, toolContext(root))
    if (!result?.ok) throw new Error(JSON.stringify(result))
    return { kind: 'tool_result', output: result.value.output }
  }

  const project = {
    name: 'local/shop',
    root: '/',
    languages: [],
    checks: [{ name: 'unit', command: 'npm test', kind: 'test' as const }],
  }

  it('replaces text everywhere and runs the checks of the project', async () => {
    const played = await play('builtin/replace-text', ['find=cart', 'replace=basket'], {}, { project })
    expect(played.strategize).toMatchObject([
      { kind: 'call_tool', tool: 'builtin/search_text' },
      {
        key: 'where',
        question: 'Where is "cart" replaced?',
        options: [
          { id: 'all', label: 'Everywhere (3 files, 5 matches)' },
          { id: 'no-tests', label: 'All but the tests (2 files, 3 lines)' },
          { id: 'sources', label: 'Only src (2 files, 3 lines)' },
        ],
        chosen: 'all',
        confidence: 0.8,
      },
      { kind: 'finish', note: null },
    ])
    expect(played.execute.slice(2)).toMatchObject([
      {
        key: 'how',
        parentKey: 'where',
        dependsOn: ['where'],
        options: [
          { id: 'every', label: 'Every match (5 in 3 files)' },
          { id: 'words', label: 'Whole words only (4 in 3 files)' },
        ],
      },
      { tool: 'builtin/replace_text' },
      { kind: 'validate', command: 'npm test', mode: 'required', origin: 'project' },
      { kind: 'finish', note: 'replaced 5 matches in 3 files' },
    ])
    expect(read('src/shop.ts')).toBe('const basket = openCart(basketId)\nconsole.log( basket )\n')
    expect(read('docs/cart.md')).toBe('The basket.\n')
  })

  it('keeps to the scope and to the whole words that were chosen', async () => {
    await play('builtin/replace-text', ['find=cart', 'replace=$basket'], { where: 'no-tests', how: 'words' })
    expect(read('src/shop.ts')).toBe('const $basket = openCart(cartId)\nconsole.log( $basket )\n')
    expect(read('src/cart.test.ts')).toBe('cart()\n')
  })

  it('takes regular expressions and a glob', async () => {
    const args = ['find=c(a)rt', 'replace=$1', 'regex=true', 'glob=docs/**']
    const played = await play('builtin/replace-text', args)
    expect(played.execute[2]).toMatchObject({ options: [{ id: 'every' }] })
    expect(read('docs/cart.md')).toBe('The a.\n')
    expect(read('src/cart.test.ts')).toBe('cart()\n')
  })

  it('finishes with a note when there is nothing to replace', async () => {
    const played = await play('builtin/replace-text', ['find=nowhere', 'replace=x'])
    expect(played.strategize.at(-1)).toMatchObject({ kind: 'finish', note: '"nowhere" is nowhere in **' })
    expect(played.execute).toMatchObject([{ kind: 'finish', note: 'nothing to replace' }])
  })

  it('rewrites code by its structure', async () => {
    const args = ['pattern=console.log($A)', 'rewrite=logger.info($A)', 'language=typescript']
    const played = await play('builtin/codemod', args)
    expect(played.strategize[1]).toMatchObject({
      key: 'where',
      options: [{ id: 'all', label: 'Everywhere (1 file, 1 match)' }],
      confidence: 0.95,
    })
    expect(read('src/shop.ts')).toBe('const cart = openCart(cartId)\nlogger.info(cart)\n')
    expect(played.execute.at(-1)).toMatchObject({ kind: 'finish', note: 'rewrote 1 matches in 1 files' })
  })

  it('leaves code as it is where that is decided', async () => {
    const args = ['pattern=console.log($A)', 'rewrite=x', 'language=typescript']
    const played = await play('builtin/codemod', args, { how: 'leave' })
    expect(played.execute.at(-1)).toMatchObject({ note: 'left as it was' })
    expect(read('src/shop.ts')).toContain('console.log')
  })

  it('runs the checks of the project, or says that there are none', async () => {
    const played = await play('builtin/run-checks', [], {}, { project })
    expect(played.execute).toMatchObject([
      { kind: 'validate', command: 'npm test', origin: 'project' },
      { kind: 'finish' },
    ])
    const none = await play('builtin/run-checks', [])
    expect(none.execute).toMatchObject([{ kind: 'finish', note: 'the project declares no checks' }])
  })
})
