import { describe, expect, it } from 'vitest'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'

const cel = createCel()

const scope = {
  hits: { paths: ['src/a.ts', 'test/a.test.ts'], count: 3 },
  vars: { glob: 'src/**', ratio: 1.5 },
  args: { old: 'a', none: null },
}

describe('evaluating', () => {
  it.each<[string, unknown]>([
    ['size(hits.paths)', 2],
    ['hits.count * 2 + 1', 7],
    ['hits.count == 3 && vars.ratio < 2.0', true],
    ['vars.ratio * 2.0', 3],
    ['hits.paths.filter(p, !p.startsWith("test/"))', ['src/a.ts']],
    [
      'hits.paths.map(p, {"id": p, "n": 1})',
      [
        { id: 'src/a.ts', n: 1 },
        { id: 'test/a.test.ts', n: 1 },
      ],
    ],
    ['args.none == null', true],
    ['has(vars.other) ? "yes" : "no"', 'no'],
    ['vars["glob"]', 'src/**'],
    ['2u', 2],
    ['timestamp("2024-01-01T00:00:00Z")', '2024-01-01T00:00:00.000Z'],
    ['cel.bind(n, hits.count, n + n)', 6],
  ])('%s gives %j', (expression, value) => {
    expect(cel.evaluate(expression, scope)).toEqual({ ok: true, value })
  })

  it.each<[string, string]>([
    ['hitz.paths', 'There is no hitz in ${{ hitz.paths }}. Did you mean hits?'],
    ['zzzzz', 'There is no zzzzz in ${{ zzzzz }}. Known: args, hits, vars.'],
    ['vars.glbo', 'vars has no glbo in ${{ vars.glbo }}. Did you mean glob?'],
    ['hits.count + "x"', 'no such overload: int + string in ${{ hits.count + "x" }}'],
    ['1 +', 'Unexpected token: EOF in ${{ 1 + }}'],
    ['9007199254740993', 'The whole number 9007199254740993 is too large in ${{ 9007199254740993 }}'],
    ['1.0 / 0.0', 'The value Infinity is no number in ${{ 1.0 / 0.0 }}'],
    ['b"x"', 'The value is a Uint8Array, which no step can use in ${{ b"x" }}'],
    ['constructor', 'There is no constructor in ${{ constructor }}. Known: args, hits, vars.'],
    ['vars.constructor', 'vars has no constructor in ${{ vars.constructor }}. Known: glob, ratio.'],
  ])('%s is refused: %s', (expression, message) => {
    const value = cel.evaluate(expression, scope)
    expect(value.ok ? value.value : value.message.replace('dyn<int>', 'int')).toBe(message)
  })

  it('ends an expression that would run away', () => {
    const text = `${'x'.repeat(60)}!`
    const value = cel.evaluate('args.text.matches("^(x+x+)+y$")', { args: { text } })
    expect(value).toEqual({
      ok: false,
      message: '${{ args.text.matches("^(x+x+)+y$") }} took longer than 2000 ms and was ended',
    })
    expect(cel.evaluate('1 + 1', {})).toEqual({ ok: true, value: 2 })
  })
})

describe('the names an expression reads', () => {
  it.each<[string, string[]]>([
    ['vars.glob + args["old"]', ['vars.glob', 'args.old']],
    ['size(hits.paths) > 0 ? guidance : vars.a.b', ['hits.paths', 'guidance', 'vars.a']],
    ['hits.paths.filter(p, p != vars.skip).map(q, q + p)', ['hits.paths', 'vars.skip', 'p']],
    ['vars[args.name]', ['vars', 'args.name']],
    ['cel.bind(x, hits, x.count + y)', ['hits', 'y']],
    ['has(vars.x)', ['vars.x']],
    ['{"a": vars.b}["a"]', ['vars.b']],
    ['[args.x, 1]', ['args.x']],
    ['1 + 2', []],
  ])('%s reads %j', (expression, reads) => {
    expect(cel.inspect(expression)).toEqual({ ok: true, reads })
  })

  it.each<[string, number]>([
    ['1 +', 3],
    ['a == == b', 5],
    ['f("abc', 2],
  ])('%s does not parse at %d', (expression, offset) => {
    expect(cel.inspect(expression)).toMatchObject({ ok: false, offset })
  })
})
