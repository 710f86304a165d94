import { describe, expect, it } from 'vitest'
import type { Template } from '../../../src/domain/actor/recipe-format.ts'
import { asText, renderTemplate, templateParts } from '../../../src/domain/actor/template.ts'
import { createCel } from '../../../src/infrastructure/actors/cel.ts'

const cel = createCel()
const scope = { n: 3, items: ['a', 'b'], text: 'x', none: null }

describe('filling in a template', () => {
  it.each<[Template, unknown]>([
    ['plain', 'plain'],
    ['${{ n }}', 3],
    ['${{ items }}', ['a', 'b']],
    [' ${{ n }}', ' 3'],
    ['${{ n }} of ${{ size(items) }}${{ none }}', '3 of 2'],
    ['in ${{ items }}', 'in ["a","b"]'],
    ['${{ {"a": {"b": n}} }}', { a: { b: 3 } }],
    ['${{ "}}" + text }}', '}}x'],
    ["${{ '\\'}}' + text }}", "'}}x"],
    ['${{ r"d}}" + text }}', 'd}}x'],
    ['${{ """a"}}""" + text }}', 'a"}}x'],
    [
      { a: ['${{ n }}', { b: '${{ text }}!' }], c: true },
      { a: [3, { b: 'x!' }], c: true },
    ],
    [null, null],
  ])('%j gives %j', (template, value) => {
    expect(renderTemplate(template, scope, cel)).toEqual({ ok: true, value })
  })

  it('says which text has an opening without an end', () => {
    expect(renderTemplate('a ${{ n', scope, cel)).toEqual({
      ok: false,
      message: '"${{" has no closing "}}" in "a ${{ n"',
    })
    expect(templateParts('a ${{ n').unclosedAt).toBe(2)
  })

  it.each<[unknown, string]>([
    [1e21, '1000000000000000000000'],
    [0.0000001, '0.0000001'],
    [-12.5, '-12.5'],
    [1234567, '1234567'],
    [true, 'true'],
  ])('writes %j plainly as %s', (value, text) => {
    expect(asText(value)).toBe(text)
  })
})
