import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createTree,
  moveNode,
  putNode,
  removeNode,
  setAllOpen,
  setFilter,
  setOpen,
  setShowHidden,
  type Tree,
  type TreeNode,
} from '../../stores/tree.ts'
import { isOnScreen, nodeAt, rowOf, windowOf } from '../../stores/tree-window.ts'

interface Leaf {
  readonly text: string
  readonly isHidden: boolean
  readonly hidesBelow: boolean
}

const rules = {
  isHidden: (leaf: Leaf) => leaf.isHidden,
  hidesBelow: (leaf: Leaf) => leaf.hidesBelow,
  textOf: (leaf: Leaf) => leaf.text,
}

const plain: Leaf = { text: '', isHidden: false, hidesBelow: false }

type Act =
  | {
      readonly kind: 'put'
      readonly id: number
      readonly parent: number
      readonly behind: number
      readonly leaf: Leaf
    }
  | { readonly kind: 'move'; readonly id: number; readonly parent: number; readonly behind: number }
  | { readonly kind: 'remove' | 'fold' | 'open'; readonly id: number }
  | { readonly kind: 'filter'; readonly text: string }
  | { readonly kind: 'foldAll' | 'openAll' | 'hide' | 'show' | 'oldest' | 'newest' }

const id = fc.nat(30)
const leaf = fc.record({
  text: fc.constantFrom('alpha', 'beta', 'Alphabet', 'γ'),
  isHidden: fc.boolean(),
  hidesBelow: fc.boolean(),
})
const acts = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('put' as const), id, parent: id, behind: id, leaf }),
    },
    fc.record({ kind: fc.constant('move' as const), id, parent: id, behind: id }),
    fc.record({ kind: fc.constantFrom('remove' as const, 'fold' as const, 'open' as const), id }),
    fc.record({ kind: fc.constant('filter' as const), text: fc.constantFrom('', 'alpha', 'γ', 'none') }),
    fc.record({
      kind: fc.constantFrom(
        'foldAll' as const,
        'openAll' as const,
        'hide' as const,
        'show' as const,
        'oldest' as const,
        'newest' as const,
      ),
    }),
  ),
  { maxLength: 80 },
)

test('the window of any tree is a slice of all its rows, whatever happened before', () => {
  fc.assert(
    fc.property(acts, fc.nat(40), fc.nat(12), (history, from, count) => {
      const tree = createTree(rules)
      for (const act of history) perform(tree, act)
      const all = flatten(tree)
      expect(windowOf(tree, from, count).map(line => line.node.id)).toEqual(
        all.slice(from, from + count).map(row => row.node.id),
      )
      expect(tree.root.rows).toBe(all.length)
    }),
  )
})

test('each row knows its number, its depth and where siblings follow', () => {
  fc.assert(
    fc.property(acts, history => {
      const tree = createTree(rules)
      for (const act of history) perform(tree, act)
      const all = flatten(tree)
      const lines = windowOf(tree, 0, all.length)
      expect(lines.map(line => line.depth)).toEqual(all.map(row => row.depth))
      expect(lines.map(line => line.continues.at(-1))).toEqual(all.map((_, at) => hasLater(all, at)))
      for (const [at, row] of all.entries()) {
        expect(rowOf(tree, row.node)).toBe(at)
        expect(nodeAt(tree, at)).toBe(row.node)
      }
      const drawn = new Set(all.map(row => row.node))
      for (const node of tree.nodes.values()) expect(isOnScreen(tree, node)).toBe(drawn.has(node))
    }),
  )
})

test('a chain deeper than the call stack is counted and walked', () => {
  const tree = createTree(rules)
  for (let at = 0; at < 12_000; at++) putNode(tree, { id: `${at}`, parentId: `${at - 1}`, item: plain })
  setAllOpen(tree, 'open')
  expect(windowOf(tree, 11_999, 5).map(line => [line.node.id, line.depth])).toEqual([['11999', 11_999]])
})

test('a node stands right behind the one it is put behind, and goes with all below it where it is moved', () => {
  const tree = createTree(rules)
  const put = (id: string, parentId: string | null, behind?: string) =>
    putNode(tree, { id, parentId, item: plain, ...(behind === undefined ? {} : { behind }) })
  for (const each of ['a', 'b', 'c']) put(each, null)
  put('a1', 'a')
  put('new', null, 'a')
  const rows = () => windowOf(tree, 0, 9).map(line => `${line.depth} ${line.node.id}`)
  expect(rows()).toEqual(['0 a', '1 a1', '0 new', '0 b', '0 c'])
  moveNode(tree, 'a', { parentId: 'c' })
  expect(rows()).toEqual(['0 new', '0 b', '0 c', '1 a', '2 a1'])
  moveNode(tree, 'c', { parentId: 'a1' })
  expect(rows()).toEqual(['0 new', '0 b', '0 c', '1 a', '2 a1'])
})

test('a node of an unknown parent stands at the top', () => {
  const tree = createTree(rules)
  putNode(tree, { id: 'a', parentId: 'gone', item: plain })
  expect(windowOf(tree, 0, 5).map(line => [line.node.id, line.depth])).toEqual([['a', 0]])
})

function perform(tree: Tree<Leaf>, act: Act): void {
  switch (act.kind) {
    case 'put':
      putNode(tree, {
        id: `n${act.id}`,
        parentId: `n${act.parent}`,
        behind: `n${act.behind}`,
        item: act.leaf,
      })
      break
    case 'move':
      moveNode(tree, `n${act.id}`, { parentId: `n${act.parent}`, behind: `n${act.behind}` })
      break
    case 'remove':
      removeNode(tree, `n${act.id}`)
      break
    case 'fold':
      setOpen(tree, `n${act.id}`, 'folded')
      break
    case 'open':
      setOpen(tree, `n${act.id}`, 'open')
      break
    case 'filter':
      setFilter(tree, act.text)
      break
    case 'foldAll':
      setAllOpen(tree, 'folded')
      break
    case 'openAll':
      setAllOpen(tree, 'open')
      break
    case 'hide':
      setShowHidden(tree, 'hidden')
      break
    case 'show':
      setShowHidden(tree, 'shown')
      break
    case 'oldest':
    case 'newest':
      tree.order = act.kind
  }
}

interface Row {
  readonly node: TreeNode<Leaf>
  readonly depth: number
}

/** The same picture without any counts: every node looked at every time. */
function flatten(tree: Tree<Leaf>): Row[] {
  const walk = (nodes: readonly TreeNode<Leaf>[], depth: number): Row[] => {
    const ordered = tree.order === 'oldest' ? nodes : nodes.toReversed()
    return ordered.flatMap(node => {
      const isShown =
        (tree.showHidden || !node.item.isHidden) && (tree.filter === '' || matches(tree.filter, node))
      const takesAll = !tree.showHidden && node.item.isHidden && node.item.hidesBelow
      const below = !takesAll && (node.isOpen || tree.filter !== '' || !isShown)
      const rows = below ? walk(node.children, isShown ? depth + 1 : depth) : []
      return isShown ? [{ node, depth }, ...rows] : rows
    })
  }
  return walk(tree.root.children, 0)
}

function matches(filter: string, node: TreeNode<Leaf>): boolean {
  if (node.item.text.toLowerCase().includes(filter)) return true
  return node.children.some(child => matches(filter, child))
}

function hasLater(rows: readonly Row[], at: number): boolean {
  const depth = rows[at]?.depth ?? 0
  const next = rows.slice(at + 1).find(row => row.depth <= depth)
  return next?.depth === depth
}
