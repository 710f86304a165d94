import { describe, expect, it } from 'vitest'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'
import { parseValidation, transformOutput } from '../../../src/infrastructure/validations/parse-validation.ts'
import { toolDeclarations } from '../../support/tool-declarations.ts'

const surroundings = { tools: toolDeclarations, expressions: createCel() }

function parse(text: string) {
  const parsed = parseValidation(text, 'v.yaml', surroundings)
  return parsed.ok ? parsed.value : parsed.failure.message.split('\n')
}

describe('a validation file', () => {
  it('becomes a validation, required and local unless it says otherwise', () => {
    expect(parse('name: fast\ndescription: Quick\ncommand: npm test\n')).toEqual({
      name: 'local/fast',
      description: 'Quick',
      mode: 'required',
      runs: { kind: 'command', command: 'npm test', network: false },
    })
    const wraps =
      'name: a/b\ndescription: d\nmode: informational\nwraps: builtin/search_text\nwith: {pattern: x}\n'
    expect(parse(`${wraps}transform: ' \${{ output.count == 0 }}'\n`)).toMatchObject({
      mode: 'informational',
      runs: {
        kind: 'tool',
        tool: 'builtin/search_text',
        input: { pattern: 'x' },
        transform: ' output.count == 0 ',
      },
    })
  })

  it.each([
    ['name: x\ndescription: d\n', ['v.yaml:1:1 says neither command nor wraps: what is to run?']],
    [
      'name: builtin/read_file\ndescription: ""\ncomand: x\n',
      ['v.yaml:2:1 description: must not be empty.', 'v.yaml:3:1 comand: unknown key. Did you mean command?'],
    ],
    [
      'name: builtin/read_file\ndescription: d\nwraps: builtin/write_file\ncommand: x\nnetwork: true\n',
      [
        'v.yaml:1:1 name: builtin/read_file is the name of a tool; validations share their name space.',
        'v.yaml:1:1 transform: is missing, and must say what the output of wraps means.',
        'v.yaml:3:1 wraps: says both command and wraps; it can be one of them.',
        'v.yaml:3:1 wraps: builtin/write_file writes, and a validation only looks.',
        'v.yaml:5:1 network: belongs to command.',
      ],
    ],
    [
      'name: x\ndescription: d\ncommand: x\ntransform: y\nwith: {}\n',
      [
        'v.yaml:4:1 transform: belongs to wraps; a command passes with the exit code 0.',
        'v.yaml:5:1 with: belongs to wraps; a command passes with the exit code 0.',
      ],
    ],
    [
      "name: x\ndescription: d\nwraps: builtin/read_file\ntransform: '${{ outptu.x }}'\n",
      ['v.yaml:4:1 transform: There is no outptu.x here; it reads output.'],
    ],
    [
      'name: x\ndescription: d\nwraps: builtin/read_file\ntransform: output.x\n',
      ['v.yaml:4:1 transform: must be one expression: ${{ ... }} over output.'],
    ],
  ])('is refused with everything that is wrong: %j', (text, errors) => {
    expect(parse(text)).toEqual(errors)
  })

  it('turns what a tool gave with its expression alone', () => {
    const { expressions } = surroundings
    expect(transformOutput(expressions, '{"passed": output.n > 1}', { n: 2 })).toEqual({
      ok: true,
      value: { passed: true },
    })
    expect(transformOutput(expressions, 'output.none > 1', {}).ok).toBe(false)
  })
})
