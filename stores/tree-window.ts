import { isDrawn, showsChildren, type Tree, type TreeNode } from './tree.ts'

export interface TreeLine<Item> {
  readonly node: TreeNode<Item>
  readonly depth: number
  /** For each level down to this node: whether more siblings follow there. Only the innermost levels are told. */
  readonly continues: readonly boolean[]
}

const maxGuides = 24

/** The rows from `from` on, as drawn. */
export function windowOf<Item>(tree: Tree<Item>, from: number, count: number): TreeLine<Item>[] {
  const lines: TreeLine<Item>[] = []
  const open = [{ siblings: tree.root.children, next: 0 }]
  let skip = Math.max(0, from)
  while (lines.length < count) {
    const level = open.at(-1)
    if (!level) break
    const node = inOrder(tree, level.siblings, level.next++)
    if (!node) open.pop()
    else if (skip >= node.rows) skip -= node.rows
    else {
      if (isDrawn(tree, node) && skip-- <= 0) lines.push(lineOf(tree, node))
      skip = Math.max(0, skip)
      if (showsChildren(tree, node)) open.push({ siblings: node.children, next: 0 })
    }
  }
  return lines
}

export function nodeAt<Item>(tree: Tree<Item>, row: number): TreeNode<Item> | undefined {
  return windowOf(tree, row, 1)[0]?.node
}

/** The row of a node; of one that is not drawn, the row where it would be. */
export function rowOf<Item>(tree: Tree<Item>, node: TreeNode<Item>): number {
  let row = 0
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at
    if (!showsChildren(tree, parent)) row = 0
    else row += rowsBefore(tree, at) + (isDrawn(tree, parent) ? 1 : 0)
  }
  return row
}

/** Whether the node itself has a row now. */
export function isOnScreen<Item>(tree: Tree<Item>, node: TreeNode<Item>): boolean {
  if (!isDrawn(tree, node)) return false
  for (let at = node.parent; at; at = at.parent) if (!showsChildren(tree, at)) return false
  return true
}

function lineOf<Item>(tree: Tree<Item>, node: TreeNode<Item>): TreeLine<Item> {
  const continues: boolean[] = []
  let depth = 0
  for (let at: TreeNode<Item> | null = node; at && at !== tree.root; at = drawnParent(tree, at)) {
    if (depth < maxGuides) continues.push(hasLaterSibling(tree, at))
    depth++
  }
  return { node, depth: depth - 1, continues: continues.reverse() }
}

function drawnParent<Item>(tree: Tree<Item>, node: TreeNode<Item>): TreeNode<Item> | null {
  let parent = node.parent
  while (parent && parent !== tree.root && !isDrawn(tree, parent)) parent = parent.parent
  return parent
}

/** Children of a hidden node are drawn among its siblings, so theirs count too. */
function hasLaterSibling<Item>(tree: Tree<Item>, node: TreeNode<Item>): boolean {
  for (let at = node; at.parent; at = at.parent) {
    const { children } = at.parent
    for (let place = placeOf(tree, at) + 1; place < children.length; place++) {
      if ((inOrder(tree, children, place)?.rows ?? 0) > 0) return true
    }
    if (at.parent === tree.root || isDrawn(tree, at.parent)) return false
  }
  return false
}

function rowsBefore<Item>(tree: Tree<Item>, node: TreeNode<Item>): number {
  let rows = 0
  const siblings = node.parent?.children ?? []
  for (let place = 0; place < placeOf(tree, node); place++) rows += inOrder(tree, siblings, place)?.rows ?? 0
  return rows
}

function placeOf<Item>(tree: Tree<Item>, node: TreeNode<Item>): number {
  const last = (node.parent?.children.length ?? 1) - 1
  return tree.order === 'oldest' ? node.index : last - node.index
}

function inOrder<Item>(
  tree: Tree<Item>,
  siblings: readonly TreeNode<Item>[],
  place: number,
): TreeNode<Item> | undefined {
  return siblings[tree.order === 'oldest' ? place : siblings.length - 1 - place]
}
