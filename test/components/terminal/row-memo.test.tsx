import fc from 'fast-check'
import { Box, renderToString, Text, Transform } from 'ink'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import Output from '#ink-output'
import { installRowMemo } from '../../../components/terminal/row-memo.ts'

const stock = Output.prototype.get
let memo: ReturnType<typeof installRowMemo>

beforeEach(() => {
  memo = installRowMemo(Output)
})

afterEach(() => {
  memo.uninstall()
})

/** The same tree drawn by Ink as it is. */
function drawnByInk(tree: ReactNode, columns: number): string {
  const withMemo = Output.prototype.get
  Output.prototype.get = stock
  try {
    return renderToString(tree, { columns })
  } finally {
    Output.prototype.get = withMemo
  }
}

type Node =
  | { kind: 'text'; text: string; wrap: 'wrap' | 'truncate'; bold: boolean; color: string | undefined }
  | { kind: 'transform'; text: string }
  | { kind: 'box'; props: Record<string, unknown>; children: Node[] }

const texts = fc.constantFrom(
  'plain',
  'two words and more',
  'wide 你好吗 text',
  'line one\nline two',
  '\u001b[31mred\nstill red\u001b[39m end',
  '\u001b[1m\u001b[48;2;1;2;3mstyled\u001b[0m',
  '\u001b]8;;https://example.org\u0007a link\u001b]8;;\u0007',
  'e\u0301 marks 👩‍💻 emoji',
  '   spaces   ',
  '',
)

const { node } = fc.letrec<{ node: Node; box: Node; text: Node; transform: Node }>(tie => ({
  node: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie('text'), tie('transform'), tie('box')),
  transform: fc.record({ kind: fc.constant('transform' as const), text: texts }),
  text: fc.record({
    kind: fc.constant('text' as const),
    text: texts,
    wrap: fc.constantFrom('wrap' as const, 'truncate' as const),
    bold: fc.boolean(),
    color: fc.constantFrom(undefined, 'red', '#123456'),
  }),
  box: fc.record({
    kind: fc.constant('box' as const),
    children: fc.array(tie('node'), { maxLength: 4 }),
    props: fc.record(
      {
        flexDirection: fc.constantFrom('row', 'column'),
        borderStyle: fc.constantFrom('single', 'double'),
        backgroundColor: fc.constantFrom('blue', '#222222'),
        padding: fc.integer({ min: 0, max: 2 }),
        marginTop: fc.integer({ min: -1, max: 2 }),
        marginLeft: fc.integer({ min: -3, max: 3 }),
        width: fc.integer({ min: 1, max: 30 }),
        height: fc.integer({ min: 1, max: 8 }),
        overflow: fc.constantFrom('hidden', 'visible'),
        position: fc.constantFrom('absolute', 'relative'),
        contentOffsetX: fc.integer({ min: -3, max: 3 }),
        contentOffsetY: fc.integer({ min: -3, max: 3 }),
        flexGrow: fc.constantFrom(0, 1),
      },
      { requiredKeys: [] },
    ),
  }),
}))

function toTree(node: Node, key: string): ReactNode {
  if (node.kind === 'transform') {
    return (
      <Transform key={key} transform={(line, index) => `${index}:${line.toUpperCase()}`}>
        <Text>{node.text}</Text>
      </Transform>
    )
  }
  if (node.kind === 'text') {
    const colour = node.color === undefined ? {} : { color: node.color }
    return (
      <Text key={key} wrap={node.wrap} bold={node.bold} {...colour}>
        {node.text}
      </Text>
    )
  }
  return (
    <Box key={key} {...node.props}>
      {node.children.map((child, index) => toTree(child, `${key}.${index}`))}
    </Box>
  )
}

describe('the row memo', () => {
  test('draws any tree as Ink does', () => {
    fc.assert(
      fc.property(node, fc.integer({ min: 1, max: 60 }), (node, columns) => {
        const tree = toTree(node, 'root')
        expect(renderToString(tree, { columns })).toBe(drawnByInk(tree, columns))
      }),
      process.env['LONG'] === '1' ? { numRuns: 7500 } : { numRuns: 400, seed: 8 },
    )
  })

  test('composes a row again only when something in it changed', () => {
    const composed: number[] = []
    const inner = Output.prototype.get
    memo.uninstall()
    Output.prototype.get = function get() {
      composed.push(this.height)
      return stock.call(this)
    }
    const counting = installRowMemo(Output)
    const draw = (second: string) => {
      const output = new Output({ width: 20, height: 3 })
      for (const [y, text] of ['first', second, 'third'].entries())
        output.write(0, y, text, { transformers: [] })
      return output.get().output
    }
    expect(draw('second')).toBe('first\nsecond\nthird')
    composed.length = 0
    expect(draw('other')).toBe('first\nother\nthird')
    expect(composed).toEqual([1])
    counting.uninstall()
    Output.prototype.get = inner
  })

  test('leaves a class alone that does not look as expected', () => {
    class Other {
      get() {
        return { output: 'stock', height: 1 }
      }
    }
    // What a later Ink might hand out.
    const result = installRowMemo(Other as unknown as typeof Output)
    expect(result.isInstalled).toBe(false)
    expect(new Other().get().output).toBe('stock')
  })

  test('is taken out by its switch', () => {
    expect(Output.prototype.get).not.toBe(stock)
    memo.uninstall()
    expect(Output.prototype.get).toBe(stock)
  })
})
