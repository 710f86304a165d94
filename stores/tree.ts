/**
 * A mutable tree that knows how many rows each part of it takes on screen, so that the visible window, the row of a
 * node and every change cost the same in a tree of ten nodes and of a hundred thousand.
 */
export interface TreeNode<Item> {
  readonly id: string
  item: Item
  parent: TreeNode<Item> | null
  readonly children: TreeNode<Item>[]
  /** Position among its siblings, the oldest first. */
  index: number
  isOpen: boolean
  /** Rows of the whole part of the tree below and with this node. */
  rows: number
  /** Sum of the children's rows, whether they are shown or not. */
  childRows: number
  /** Nodes of this part that the text filter accepts; only kept while there is a filter. */
  matches: number
  isMatch: boolean
}

export interface Tree<Item> {
  readonly root: TreeNode<Item>
  readonly nodes: Map<string, TreeNode<Item>>
  readonly rules: TreeRules<Item>
  showHidden: boolean
  filter: string
  order: SiblingOrder
}

export interface TreeRules<Item> {
  /** Left out of the picture unless hidden nodes are asked for (superseded decisions). */
  isHidden(item: Item): boolean
  /** Of a hidden node: what is below it goes with it, instead of standing in its place. */
  hidesBelow(item: Item): boolean
  /** What the text filter looks at. */
  textOf(item: Item): string
}

export type SiblingOrder = 'oldest' | 'newest'

export function createTree<Item>(rules: TreeRules<Item>): Tree<Item> {
  // The root is never drawn and never asked for its item.
  const root = newNode<Item>('', undefined as Item)
  return { root, nodes: new Map(), rules, showHidden: false, filter: '', order: 'oldest' }
}

/** Where a node stands: as the last below its parent, or right behind one of the nodes there. */
export interface Place {
  readonly parentId: string | null
  readonly behind?: string | null
}

/** Adds a node or gives it a new item; one that is known stays where it is. An unknown parent puts it at the top. */
export function putNode<Item>(tree: Tree<Item>, put: Place & { id: string; item: Item }): void {
  const known = tree.nodes.get(put.id)
  if (known) known.item = put.item
  const node = known ?? newNode(put.id, put.item)
  if (!known) {
    // In this order: a node that names itself as its parent stands at the top.
    attach(tree, node, put)
    tree.nodes.set(put.id, node)
  }
  rematch(tree, node)
  settle(tree, node)
}

/** The same nodes in the same places, everything open and nothing filtered; what is hidden is up to these rules. */
export function openCopy<Item>(tree: Tree<Item>, rules: TreeRules<Item>): Tree<Item> {
  const copy = createTree(rules)
  copy.order = tree.order
  for (const { id, parent, item } of subtree(tree.root))
    if (parent) putNode(copy, { id, parentId: parent.id, item })
  return copy
}

/** Takes a node with all below it to another place. */
export function moveNode<Item>(tree: Tree<Item>, id: string, to: Place): void {
  const node = tree.nodes.get(id)
  if (!node?.parent || isWithin(node, tree.nodes.get(to.parentId ?? ''))) return
  detach(tree, node)
  attach(tree, node, to)
  addMatches(node.parent, node.matches)
  settle(tree, node)
}

/** Takes a node away; its children, if any, go with it. */
export function removeNode<Item>(tree: Tree<Item>, id: string): void {
  const node = tree.nodes.get(id)
  if (!node?.parent) return
  for (const each of subtree(node)) tree.nodes.delete(each.id)
  detach(tree, node)
}

export function setOpen<Item>(tree: Tree<Item>, id: string, isOpen: 'open' | 'folded'): void {
  const node = tree.nodes.get(id)
  if (!node) return
  node.isOpen = isOpen === 'open'
  settle(tree, node)
}

/** Folds or opens everything that has children. */
export function setAllOpen<Item>(tree: Tree<Item>, isOpen: 'open' | 'folded'): void {
  for (const node of tree.nodes.values()) node.isOpen = isOpen === 'open' || node.children.length === 0
  recount(tree)
}

export function setFilter<Item>(tree: Tree<Item>, filter: string): void {
  tree.filter = filter.toLowerCase()
  recount(tree)
}

export function setShowHidden<Item>(tree: Tree<Item>, hidden: 'shown' | 'hidden'): void {
  tree.showHidden = hidden === 'shown'
  recount(tree)
}

export function isDrawn<Item>(tree: Tree<Item>, node: TreeNode<Item>): boolean {
  if (node === tree.root) return false
  if (!tree.showHidden && tree.rules.isHidden(node.item)) return false
  return tree.filter === '' || node.matches > 0
}

export function showsChildren<Item>(tree: Tree<Item>, node: TreeNode<Item>): boolean {
  if (hidesAll(tree, node)) return false
  return node.isOpen || tree.filter !== '' || !isDrawn(tree, node)
}

function hidesAll<Item>(tree: Tree<Item>, node: TreeNode<Item>): boolean {
  if (node === tree.root || tree.showHidden) return false
  return tree.rules.isHidden(node.item) && tree.rules.hidesBelow(node.item)
}

function attach<Item>(tree: Tree<Item>, node: TreeNode<Item>, { parentId, behind }: Place): void {
  const parent = tree.nodes.get(parentId ?? '') ?? tree.root
  const before = tree.nodes.get(behind ?? '')
  const at = before && before.parent === parent ? before.index + 1 : parent.children.length
  parent.children.splice(at, 0, node)
  node.parent = parent
  number(parent, at)
}

/** What it brought to the rows and matches above it goes with it. */
function detach<Item>(tree: Tree<Item>, node: TreeNode<Item>): void {
  const { parent } = node
  if (!parent) return
  parent.children.splice(node.index, 1)
  number(parent, node.index)
  parent.childRows -= node.rows
  node.rows = 0
  node.parent = null
  addMatches(parent, -node.matches)
  settle(tree, parent)
}

function number<Item>(parent: TreeNode<Item>, from: number): void {
  for (let at = from; at < parent.children.length; at++) {
    const child = parent.children[at]
    if (child) child.index = at
  }
}

function isWithin<Item>(top: TreeNode<Item>, node: TreeNode<Item> | undefined): boolean {
  for (let at: TreeNode<Item> | null | undefined = node; at; at = at.parent) if (at === top) return true
  return false
}

function newNode<Item>(id: string, item: Item): TreeNode<Item> {
  return {
    id,
    item,
    parent: null,
    children: [],
    index: 0,
    isOpen: true,
    rows: 0,
    childRows: 0,
    matches: 0,
    isMatch: false,
  }
}

function rematch<Item>(tree: Tree<Item>, node: TreeNode<Item>): void {
  if (tree.filter === '') return
  const isMatch = accepts(tree, node)
  if (isMatch === node.isMatch) return
  node.isMatch = isMatch
  addMatches(node, isMatch ? 1 : -1)
}

function addMatches<Item>(from: TreeNode<Item> | null, delta: number): void {
  if (delta === 0) return
  for (let node = from; node; node = node.parent) node.matches += delta
}

function accepts<Item>(tree: Tree<Item>, node: TreeNode<Item>): boolean {
  return tree.filter !== '' && tree.rules.textOf(node.item).toLowerCase().includes(tree.filter)
}

/** Brings the counts up to date from a changed node to the root. */
function settle<Item>(tree: Tree<Item>, from: TreeNode<Item>): void {
  for (let node: TreeNode<Item> | null = from; node; node = node.parent) {
    const rows = rowsOf(tree, node)
    const delta = rows - node.rows
    node.rows = rows
    if (node.parent) node.parent.childRows += delta
    // With a filter an ancestor can change for another reason than the number of rows below it.
    if (delta === 0 && tree.filter === '' && node !== from) return
  }
}

function rowsOf<Item>(tree: Tree<Item>, node: TreeNode<Item>): number {
  const own = isDrawn(tree, node) ? 1 : 0
  return own + (showsChildren(tree, node) ? node.childRows : 0)
}

/** Everything anew, children before parents. */
function recount<Item>(tree: Tree<Item>): void {
  const all = subtree(tree.root)
  for (const node of all) {
    node.isMatch = node !== tree.root && accepts(tree, node)
    node.matches = node.isMatch ? 1 : 0
    node.childRows = 0
  }
  for (const node of all.reverse()) {
    if (node.parent) node.parent.matches += node.matches
    node.rows = rowsOf(tree, node)
    if (node.parent) node.parent.childRows += node.rows
  }
}

/** A node and all below it, parents before children. Trees may be deeper than the call stack. */
function subtree<Item>(top: TreeNode<Item>): TreeNode<Item>[] {
  const all = [top]
  for (let at = 0; at < all.length; at++) {
    for (const child of all[at]?.children ?? []) all.push(child)
  }
  return all
}
