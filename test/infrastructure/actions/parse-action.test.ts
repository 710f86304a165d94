import { describe, expect, it } from 'vitest'
import type { Action } from '../../../src/domain/action.ts'
import type { KnownAction } from '../../../src/domain/actor/check-spawn.ts'
import type { Result } from '../../../src/domain/failure.ts'
import { parseAction } from '../../../src/infrastructure/actions/parse-action.ts'
import type { ActionError } from '../../../src/infrastructure/actions/step-of.ts'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'
import { toolDeclarations } from '../../support/tool-declarations.ts'

const others: readonly KnownAction[] = [
  { name: 'local/a', arguments: [], readOnly: true },
  { name: 'local/b', arguments: [], readOnly: false },
  {
    name: 'local/rename-docs',
    readOnly: false,
    arguments: [
      { name: 'old', type: 'string', required: true, default: null, description: '', values: [] },
      { name: 'limit', type: 'integer', required: false, default: 5, description: '', values: [] },
    ],
  },
]

const surroundings = {
  tools: toolDeclarations,
  expressions: createCel(),
  actions: {
    names: () => others.map(({ name }) => name),
    find: (name: string) => others.find(each => each.name === name) ?? null,
  },
}

function parse(text: string, origin: 'builtin' | 'user' = 'user'): Result<Action> {
  return parseAction({ file: 'a.yaml', text, origin }, surroundings)
}

/** `line:column path: message`, one a line, as the failure's facts hold them. */
function errorsOf(text: string, origin: 'builtin' | 'user' = 'user'): string[] {
  const parsed = parse(text, origin)
  if (parsed.ok) return []
  const errors = parsed.failure.facts['errors'] as readonly ActionError[] // what parseAction promises
  return errors.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
}

const head = `name: rename
description: Rename a flag
definition_of_done: done
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
`

/** Steps begin in line 8. */
function withSteps(phase: 'strategize' | 'execute', steps: string): string {
  return `${head}recipe:\n  ${phase}:\n${steps.replace(/^(?=.)/gm, '    ')}`
}

const whole = `${head}long_description: at length
automation_profile: cautious
safety_profile: {max_retries_per_step: 1, max_total_cost: null}
guards: {max_total_cost: 2, tool_denylist: [move_file]}
arguments:
  - {name: old, type: string, required: true, description: the present name}
  - {name: scope, type: enum, values: [src, all], default: src}
  - {name: limit, type: integer, default: 5}
invariants:
  - Public API files stay unchanged
  - {text: Few files, key: changed_files, rule: max, value: 5}
recipe:
  strategize:
    - tool: {name: builtin/search_text, with: {pattern: "\${{ args.old }}"}, as: hits}
    - decide:
        id: where
        type: strategy_choice
        question: Where is \${{ args.old }} renamed?
        options:
          - {id: src, label: "Only src (\${{ size(hits.paths) }} files)", rationale: tests follow later, set: {glob: "src/**"}}
          - {id: all, label: Everywhere, set: {glob: "**"}}
        choose: "\${{ args.scope }}"
        confidence: 0.85
        rationale: the argument asked for it
        depends_on: []
  execute:
    - decide: {id: edit, type: implementation_choice, question: How?, options: [{id: replace, label: Literal replace}], choose: replace, under: where}
    - tool: {name: builtin/replace_text, with: {find: "\${{ args.old }}", glob: "\${{ vars.glob }}"}, as: edited}
    - when: {if: "\${{ edited.count == 0 }}", then: [{finish: {note: nothing to do}}], else: []}
    - for_each: {over: "\${{ edited.paths }}", as: path, steps: [{assert: {that: "\${{ path != 'LICENSE' }}", message: no}}]}
    - spawn: {action: local/rename-docs, args: {old: "\${{ args.old }}"}, as: docs}
    - spawn: {parallel: [{action: local/a}, {action: local/b}], max_parallel: 2, merge: three_way}
    - validate: {command: npm test, mode: required}
    - for_each: {over: "\${{ project.checks }}", as: each, steps: [{validate: {command: "\${{ each.command }}"}}]}
    - ask: {question: Anything else?, options: [{id: "no", label: "No"}], as: answer}
    - finish: {}
`

describe('a whole action file', () => {
  it('becomes an action', () => {
    const parsed = parse(whole)
    if (!parsed.ok) throw new Error(parsed.failure.message)
    const { recipe, ...action } = parsed.value
    expect(action).toEqual({
      name: 'local/rename',
      description: 'Rename a flag',
      longDescription: 'at length',
      definitionOfDone: 'done',
      strategyActor: 'builtin/recipe',
      executionActor: 'builtin/recipe',
      arguments: [
        {
          name: 'old',
          type: 'string',
          required: true,
          default: null,
          description: 'the present name',
          values: [],
        },
        {
          name: 'scope',
          type: 'enum',
          required: false,
          default: 'src',
          description: '',
          values: ['src', 'all'],
        },
        { name: 'limit', type: 'integer', required: false, default: 5, description: '', values: [] },
      ],
      invariants: [
        { text: 'Public API files stay unchanged', rule: null },
        { text: 'Few files', rule: { key: 'changed_files', rule: 'max', value: 5 } },
      ],
      guardrails: null,
      automationProfile: 'cautious',
      safetyProfile: { maxRetriesPerStep: 1, maxTotalCost: null },
      guards: {
        maxToolCallsPerStep: null,
        maxTotalCost: 2,
        toolAllowlist: null,
        toolDenylist: ['move_file'],
        requireApprovalForWrites: false,
        requireApprovalForApply: false,
      },
      reusable: true,
      maxFixAttempts: 3,
      readOnly: false,
      state: 'available',
    })
    expect(recipe?.strategize[1]).toEqual({
      kind: 'decide',
      id: 'where',
      type: 'strategy_choice',
      question: 'Where is ${{ args.old }} renamed?',
      options: [
        {
          id: 'src',
          label: 'Only src (${{ size(hits.paths) }} files)',
          rationale: 'tests follow later',
          set: { glob: 'src/**' },
        },
        { id: 'all', label: 'Everywhere', rationale: null, set: { glob: '**' } },
      ],
      choose: '${{ args.scope }}',
      confidence: 0.85,
      rationale: 'the argument asked for it',
      dependsOn: [],
      under: null,
    })
    expect(recipe?.execute.map(step => step.kind)).toEqual(
      'decide tool when for_each spawn spawn validate for_each ask finish'.split(' '),
    )
    expect(recipe?.execute[6]).toEqual({
      kind: 'validate',
      command: 'npm test',
      mode: 'required',
      discovered: false,
      network: false,
      fix: [],
    })
    expect(recipe?.execute[7]).toMatchObject({ steps: [{ kind: 'validate', discovered: true }] })
    expect(recipe?.execute[4]).toEqual({
      kind: 'spawn',
      id: 'docs',
      form: 'one',
      children: [
        {
          key: 'docs',
          action: 'local/rename-docs',
          args: { old: '${{ args.old }}' },
          guidance: null,
          after: [],
          as: 'docs',
        },
      ],
      maxParallel: 1,
      merge: 'three_way',
      question: null,
      confidence: null,
      rationale: '',
      dependsOn: [],
      under: null,
      as: 'docs',
    })
    const child = { args: {}, guidance: null, after: [], as: null }
    expect(recipe?.execute[5]).toMatchObject({
      id: 'execute-5',
      form: 'parallel',
      children: [
        { key: 'a', action: 'local/a', ...child },
        { key: 'b', action: 'local/b', ...child },
      ],
      maxParallel: 2,
    })
  })
})

describe('limits of an action', () => {
  it('are read field by field', () => {
    const block = `guardrails:
  max_steps: 20
  tool_budget: 1.5
  actor_limits: {max_retries_per_failure: 2}
  required_confirmations: [builtin/run_command, "builtin/write*"]
`
    const parsed = parse(
      `${head}${block}recipe: {execute: [{tool: {name: builtin/read_file, cost_usd: 0.5}}]}`,
    )
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        guardrails: {
          maxSteps: 20,
          toolBudget: 1.5,
          maxRetriesPerFailure: 2,
          requiredConfirmations: ['builtin/run_command', 'builtin/write*'],
        },
        recipe: { execute: [{ kind: 'tool', costUsd: 0.5 }] },
      },
    })
  })

  it('and costs are refused where they mean nothing', () => {
    const block = `guardrails: {max_steps: -1, tool_budget: much, required_confirmations: ["a*b"]}\n`
    const steps = `recipe:
  execute:
    - tool: {name: builtin/read_file, cost_usd: -0.1}
    - tool: {name: builtin/read_file, cost_usd: cheap}
`
    expect(errorsOf(`${head}${block}recipe: {}\n`)).toEqual([
      '6:14 guardrails.max_steps: must not be negative.',
      '6:29 guardrails.tool_budget: must be a number, not "much".',
      '6:73 guardrails.required_confirmations[0]: must be the name of an operation, with at most one * at its end.',
    ])
    const unknown = `guardrails: {required_confirmations: ["*", run_comand, "deploy/*", write_file]}\nrecipe: {}\n`
    expect(errorsOf(`${head}${unknown}`)).toEqual([
      expect.stringContaining(
        'required_confirmations[1]: There is no tool run_comand. Did you mean builtin/run_command?',
      ),
      expect.stringContaining('required_confirmations[2]: No tool has a name like deploy/*.'),
      expect.stringMatching(/There is no tool write_file. Did you mean builtin\/write_file/),
    ])
    expect(errorsOf(`${head}${steps}`)).toEqual([
      '8:39 recipe.execute[0].tool.cost_usd: must not be negative.',
    ])
    expect(errorsOf(`${head}${steps.replace('-0.1', '0.1')}`)).toEqual([
      '9:39 recipe.execute[1].tool.cost_usd: must be an amount in US dollars of 0 or more, or one expression that yields it.',
    ])
  })
})

describe('errors in an action file', () => {
  it.each<[string, string, string[]]>([
    ['an empty file', '', ['1:1 : the file is empty.']],
    ['two documents', 'a: 1\n---\nb: 2', ['1:1 : the file holds more than one document.']],
    ['broken YAML', 'name: x\nlist: [1, 2\nb: 3', ['3:1 : deficient indentation.']],
    ['a key given twice', 'name: x\nname: y', ['2:1 : duplicated mapping key.']],
    ['an alias', 'name: &a x\ndescription: *a', ['2:14 : aliases (*name) are not supported.']],
    ['a foreign tag', 'name: !run x', ['1:7 : unknown scalar tag !<!run>.']],
    ['a list', '- a', ['1:1 : must be a map, not a list.']],
  ])('%s', (_, text, errors) => {
    expect(errorsOf(text)).toEqual(errors)
  })

  it('are reported all at once, in the order of the file', () => {
    const text = `nmae: rename
description: ""
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
review_actor: openai/x
reusable: "yes"
state: archive
safety_profile:
  max_retry_per_step: 1
  allow_unsafe_tools: 3
arguments:
  - name: 1st
    type: int
  - {name: mode, type: enum}
  - {name: mode, type: string, values: [a], default: 3, dflt: 1}
recipe:
  execute:
    - tool: {nme: builtin/read_file}
    - toool: {}
    - decide
    - {tool: {name: builtin/read_file}, as: x}
`
    expect(errorsOf(text)).toEqual([
      '1:1 name: is missing.',
      '1:1 definition_of_done: is missing.',
      '1:1 nmae: unknown key. Did you mean name?',
      '2:1 description: must not be empty.',
      '5:1 review_actor: is not available yet; leave it out.',
      '6:1 reusable: must be true or false, not "yes".',
      '7:1 state: must be one of available, archived, not "archive". Did you mean archived?',
      '9:3 safety_profile.max_retry_per_step: unknown key. Did you mean max_retries_per_step?',
      '10:3 safety_profile.allow_unsafe_tools: must be true or false, not the number 3.',
      '12:5 arguments[0].name: must begin with a letter and hold only letters, digits and underscores.',
      '13:5 arguments[0].type: must be one of string, integer, number, boolean, list, path, enum, not "int". Did you mean integer?',
      '15:57 arguments[2].dflt: unknown key. Known: default, description, name, required, type, values.',
      '18:7 recipe.execute[0].tool.name: is missing.',
      '18:14 recipe.execute[0].tool.nme: unknown key. Did you mean name?',
      '19:7 recipe.execute[1].toool: unknown step. Did you mean tool?',
      '20:7 recipe.execute[2]: must be one step, such as "- tool: {...}", not "decide".',
      '21:7 recipe.execute[3]: must be one step, but has the keys tool, as.',
    ])
  })

  it('are found in invariants', () => {
    const text = `${head}invariants:
  - 3
  - {text: Few, rule: most, value: 3}
  - {text: Few, rule: max, key: changed_files, value: some}
  - {txt: Few}
recipe: {}
`
    expect(errorsOf(text)).toEqual([
      '7:5 invariants[0]: must be a text, not the number 3; write it in quotes.',
      '8:5 invariants[1]: The rule of an invariant is one of equals, max, min, forbid, allow, unchanged, forbid_path, allow_path.',
      '9:5 invariants[2]: changed_files max needs a number, not "some".',
      '10:5 invariants[3].text: is missing.',
      '10:6 invariants[3].txt: unknown key. Did you mean text?',
    ])
  })

  it('are found in arguments once their shape is right', () => {
    const text = `${head}arguments:
  - {name: mode, type: enum}
  - {name: mode, type: string, values: [a], default: 3}
  - {name: where, type: path, default: ../up}
recipe: {}
`
    expect(errorsOf(text)).toEqual([
      '7:5 arguments[0].values: must list the values of the enum.',
      '8:6 arguments[1].name: mode is already the name of another argument.',
      '8:32 arguments[1].values: is for the type enum, not for string.',
      '8:45 arguments[1].default: Argument mode needs a text, not 3.',
      '9:31 arguments[2].default: Argument where needs a path inside the project, relative to its root, not "../up".',
    ])
  })

  it('name the missing recipe of a recipe actor, and reserve our own namespace', () => {
    const text = head.replace('name: rename', 'name: builtin/rename')
    expect(errorsOf(text)).toEqual([
      '1:1 name: must not begin with builtin/, which holds the actions that come along.',
      '1:1 recipe: is missing, and the actor builtin/recipe plays it.',
    ])
    expect(parse(`${text}recipe: {}`, 'builtin').ok).toBe(true)
    expect(errorsOf(text.replace('builtin/rename', 'a b'))[0]).toMatch(
      /^1:1 name: "a b" is not an action name/,
    )
  })

  it.each<[string, 'strategize' | 'execute', string, string[]]>([
    [
      'an unknown tool',
      'execute',
      '- tool: {name: builtin/serch_text}',
      [
        '8:14 recipe.execute[0].tool.name: There is no tool builtin/serch_text. Did you mean builtin/search_text?',
      ],
    ],
    [
      'a writing tool in Strategize',
      'strategize',
      '- when:\n    if: true\n    then:\n      - tool: {name: builtin/run_command, with: {command: ls}}',
      [
        '11:20 recipe.strategize[0].when.then[0].tool.name: builtin/run_command can write, and Strategize only reads. Use it under execute.',
      ],
    ],
    [
      'a validation in Strategize',
      'strategize',
      '- validate: {command: ls}',
      [
        '8:7 recipe.strategize[0].validate: A validation runs a command, and Strategize only reads. Use it under execute.',
      ],
    ],
    [
      'an id used twice',
      'execute',
      '- decide: {id: a, type: resource_selection, question: q, options: [{id: x, label: x}]}\n- decide: {id: a, type: resource_selection, question: q, options: [{id: x, label: x}]}',
      ['9:16 recipe.execute[1].decide.id: a is already the id of another decision.'],
    ],
    [
      'dependencies on what does not come before',
      'execute',
      '- decide: {id: a, type: resource_selection, question: q, options: [{id: x, label: x}], depends_on: [b, c]}\n- decide: {id: b, type: resource_selection, question: q, options: [{id: x, label: x}], under: aa}',
      [
        '8:105 recipe.execute[0].decide.depends_on[0]: The decision b is not made before this one.',
        '8:108 recipe.execute[0].decide.depends_on[1]: There is no decision c. There are none.',
        '9:92 recipe.execute[1].decide.under: There is no decision aa. Did you mean a?',
      ],
    ],
    [
      'a decision type of the other phase',
      'strategize',
      '- decide: {id: a, type: error_recovery, question: q, options: [{id: x, label: x}]}',
      [
        '8:23 recipe.strategize[0].decide.type: error_recovery is no decision of strategize. Known: strategy_choice, resource_selection, subplan_spawn, subplan_parallel_spawn.',
      ],
    ],
    [
      'options that do not fit',
      'execute',
      '- decide: {id: a, type: resource_selection, question: q, options: [{id: x, label: x}, {id: x, label: y}], choose: z}\n- decide: {id: b, type: resource_selection, question: q, options: []}\n- decide: {id: c, type: resource_selection, question: q, options: none}\n- decide: {id: d, type: resource_selection, question: q, options: [{id: 1, label: x}]}\n- decide: {id: e, type: resource_selection, question: q}',
      [
        '11:73 recipe.execute[3].decide.options[0].id: must be a text, not the number 1; write it in quotes.',
        '12:7 recipe.execute[4].decide.options: is missing.',
      ],
    ],
    [
      'options that mean nothing',
      'execute',
      '- decide: {id: a, type: resource_selection, question: q, options: [{id: x, label: x}, {id: x, label: y}], choose: z}\n- decide: {id: b, type: resource_selection, question: q, options: []}\n- decide: {id: c, type: resource_selection, question: q, options: none}',
      [
        '8:92 recipe.execute[0].decide.options[1].id: x is already the id of another option.',
        '8:111 recipe.execute[0].decide.choose: z is no option of a. Did you mean x?',
        '9:62 recipe.execute[1].decide.options: must have at least one option.',
        '10:62 recipe.execute[2].decide.options: must be a list of options, or one expression that yields it.',
      ],
    ],
    [
      'expressions that do not parse',
      'execute',
      '- assert: {that: "${{ 1 + }}", message: "${{ open"}',
      [
        '8:16 recipe.execute[0].assert.that: ${{ 1 + }} does not parse at character 4: Unexpected token: EOF.',
        '8:36 recipe.execute[0].assert.message: "${{" has no closing "}}".',
      ],
    ],
    [
      'names that do not exist',
      'execute',
      '- tool:\n    name: builtin/read_file\n    with:\n      path: ${{ args.pth }}\n      deep: [a, "${{ hits.x }}", "${{ vars.x + project.nam }}"]\n    as: hits\n- finish: {note: "${{ hits.x }}"}',
      [
        '11:11 recipe.execute[0].tool.with.path: args has no pth in ${{ args.pth }}. There are none.',
        '12:21 recipe.execute[0].tool.with.deep[1]: There is no hits in ${{ hits.x }}. Known: args, guidance, plan, project, vars.',
        '12:38 recipe.execute[0].tool.with.deep[2]: vars has no x in ${{ vars.x + project.nam }}. There are none.',
        '12:38 recipe.execute[0].tool.with.deep[2]: project has no nam in ${{ vars.x + project.nam }}. Did you mean name?',
      ],
    ],
    [
      'names that mean something else',
      'execute',
      '- tool: {name: builtin/read_file, as: args}\n- for_each: {over: "${{ [1] }}", as: list, steps: []}\n- tool: {name: builtin/read_file, as: in}',
      [
        '8:39 recipe.execute[0].tool.as: args has a meaning of its own in expressions; take another name.',
        '9:38 recipe.execute[1].for_each.as: list has a meaning of its own in expressions; take another name.',
        '10:39 recipe.execute[2].tool.as: in has a meaning of its own in expressions; take another name.',
      ],
    ],
    [
      'steps without what they need',
      'execute',
      '- for_each: {over: x, as: y}\n- tool: 3\n- validate: {command: [a], mode: must}\n- spawn: {parallel: []}\n- spawn: {acton: x}\n- {}\n- when: {if: true, then: {}}',
      [
        '8:7 recipe.execute[0].for_each.steps: is missing.',
        '9:7 recipe.execute[1].tool: must be a map, not the number 3.',
        '10:18 recipe.execute[2].validate.command: must be a text.',
        '10:32 recipe.execute[2].validate.mode: must be one of required, informational, not "must".',
        '11:15 recipe.execute[3].spawn.parallel: must name at least one child.',
        '12:7 recipe.execute[4].spawn.action: is missing.',
        '12:15 recipe.execute[4].spawn.acton: unknown key. Did you mean action?',
        '13:7 recipe.execute[5]: must be one step, such as "- tool: {...}", not a map.',
        '14:24 recipe.execute[6].when.then: must be a list of steps, not a map.',
      ],
    ],
  ])('%s', (_, phase, steps, errors) => {
    expect(errorsOf(withSteps(phase, steps))).toEqual(errors)
  })

  it.each<[string, string, string[]]>([
    [
      'actions and arguments that are not there',
      '- spawn: {action: local/renamed, args: {old: 1, limit: two, more: x}}\n- spawn: {action: rename-docs, args: {limit: two, more: x}}',
      [
        '8:15 recipe.execute[0].spawn.action: There is no action local/renamed. Did you mean local/rename?',
        '9:36 recipe.execute[1].spawn.args: local/rename-docs needs the argument old.',
        '9:43 recipe.execute[1].spawn.args.limit: Argument limit needs a whole number, not "two".',
        '9:55 recipe.execute[1].spawn.args.more: local/rename-docs has no argument more. Known: limit, old.',
      ],
    ],
    [
      'keys that belong to another form',
      '- spawn: {action: a, after: [b], max_parallel: 2}\n- spawn: {sequential: [{action: a, after: [b]}], max_parallel: 2}\n- spawn: {parallel: [], sequential: []}\n- spawn: {parallel: [{action: a, merge: last_wins}], merge: mine, max_parallel: 51}\n- spawn: {parallel: [{action: a}], max_parallel: 0.5}',
      [
        '8:26 recipe.execute[0].spawn.after: unknown key. Known: action, args, as, confidence, depends_on, guidance, merge, question, rationale, under.',
        '8:38 recipe.execute[0].spawn.max_parallel: unknown key. Known: action, args, as, confidence, depends_on, guidance, merge, question, rationale, under.',
        '9:40 recipe.execute[1].spawn.sequential[0].after: unknown key. Known: action, args, as, guidance.',
        '9:54 recipe.execute[1].spawn.max_parallel: unknown key. Known: as, confidence, depends_on, merge, question, rationale, sequential, under.',
        '10:7 recipe.execute[2].spawn: has both parallel and sequential; use one step for each.',
        '11:38 recipe.execute[3].spawn.parallel[0].merge: unknown key. Known: action, after, args, as, guidance.',
        '11:58 recipe.execute[3].spawn.merge: must be one of three_way, last_wins, fail_on_conflict, not "mine".',
        '11:71 recipe.execute[3].spawn.max_parallel: must be at most 50.',
        '12:40 recipe.execute[4].spawn.max_parallel: must be a whole number, not the number 0.5.',
      ],
    ],
    [
      'children that wait for what never comes',
      '- spawn: {parallel: [{action: a, after: [b, a, x]}, {action: b, as: two, after: [three]}, {action: b, as: three, after: [two]}, {action: b, as: four}, {action: b, as: four}]}',
      [
        '8:15 recipe.execute[0].spawn.parallel: These wait for each other: two, three.',
        '8:46 recipe.execute[0].spawn.parallel[0].after[0]: There is no child b here. Known: four, three, two.',
        '8:49 recipe.execute[0].spawn.parallel[0].after[1]: a cannot wait for itself.',
        '8:52 recipe.execute[0].spawn.parallel[0].after[2]: There is no child x here. Known: four, three, two.',
        '8:168 recipe.execute[0].spawn.parallel[4].as: four is already the name of another child.',
      ],
    ],
    [
      'names that are taken or read too early',
      '- decide: {id: docs, type: error_recovery, question: q, options: [{id: x, label: x}]}\n- spawn: {action: a, as: docs, depends_on: [later], under: docs, guidance: "${{ later }}"}\n- spawn: {sequential: [{action: a, as: vars}, {action: a, as: later, guidance: "${{ later.state }}"}], depends_on: [docs]}',
      [
        '9:26 recipe.execute[1].spawn.as: docs is already the id of another decision.',
        '9:49 recipe.execute[1].spawn.depends_on[0]: There is no decision later. Known: docs.',
        '9:70 recipe.execute[1].spawn.guidance: There is no later in ${{ later }}. Known: args, guidance, plan, project, vars.',
        '10:40 recipe.execute[2].spawn.sequential[0].as: vars has a meaning of its own in expressions; take another name.',
        '10:74 recipe.execute[2].spawn.sequential[1].guidance: There is no later in ${{ later.state }}. Known: args, docs, guidance, plan, project, vars.',
      ],
    ],
  ])('name in a spawn %s', (_, steps, errors) => {
    expect(errorsOf(withSteps('execute', steps))).toEqual(errors)
  })

  it('keep children out of Strategize, and children that write out of a read-only action', () => {
    const steps = '- spawn: {action: a}\n- spawn: {sequential: [{action: a}, {action: b}]}'
    expect(errorsOf(withSteps('execute', steps))).toEqual([])
    expect(errorsOf(`read_only: true\n${withSteps('execute', steps)}`)).toEqual([
      '10:42 recipe.execute[1].spawn.sequential[1].action: local/b can write, and this action is read_only.',
    ])
    expect(errorsOf(withSteps('strategize', '- spawn: {action: a}'))).toEqual([
      '8:7 recipe.strategize[0].spawn: A spawn starts plans that write, and Strategize only reads. Use it under execute.',
    ])
  })

  it('let an action start itself', () => {
    const itself = (text: string) => withSteps('execute', `- spawn: {action: ${text}, args: {depth: 1}}`)
    const definitions = 'arguments: [{name: depth, type: integer}]\n'
    expect(errorsOf(definitions + itself('rename'))).toEqual([])
    expect(errorsOf(itself('local/rename'))).toEqual([
      '8:44 recipe.execute[0].spawn.args.depth: local/rename has no argument depth. There are none.',
    ])
  })

  it('forbid writing tools in both phases of a read-only action', () => {
    const text = withSteps('execute', '- tool: {name: builtin/write_file}')
    expect(errorsOf(text)).toEqual([])
    expect(errorsOf(`read_only: true\n${text}`)).toEqual([
      '9:14 recipe.execute[0].tool.name: builtin/write_file can write, and this action is read_only.',
    ])
  })

  it('name file, line, column, key and step in the message and in the facts', () => {
    const parsed = parse(withSteps('execute', '- when:\n    if: true\n    else:\n      - tool: {name: x}'))
    const message = `There is no tool x. Known: ${toolDeclarations
      .map(({ name }) => name)
      .sort()
      .join(', ')}.`
    expect(parsed.ok ? null : parsed.failure).toEqual({
      code: 'invalid_input',
      message: `a.yaml:11:20 recipe.execute[0].when.else[0].tool.name: ${message}`,
      facts: {
        file: 'a.yaml',
        errors: [
          {
            file: 'a.yaml',
            line: 11,
            column: 20,
            path: 'recipe.execute[0].when.else[0].tool.name',
            step: 'execute[0].else[0]',
            message,
          },
        ],
      },
    })
  })

  it('count lines alike under every line ending and skip a byte order mark', () => {
    const text = `\ufeff${head}bad: 1\n`
    for (const lineEnd of ['\n', '\r\n', '\r'])
      expect(errorsOf(text.replaceAll('\n', lineEnd))).toContain(
        '6:1 bad: unknown key. 17 are known, none is similar.',
      )
  })
})
