import { renderToString, Text } from 'ink'
import { createElement } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import Output from '#ink-output'

const original = Output.prototype.get

afterEach(() => {
  Output.prototype.get = original
})

describe('#ink-output', () => {
  it('is the very compositor that Ink draws with', () => {
    Output.prototype.get = () => ({ output: 'drawn by us', height: 1 })
    expect(renderToString(createElement(Text, null, 'drawn by Ink'))).toBe('drawn by us')
  })
})
