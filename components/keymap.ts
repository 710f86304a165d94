/**
 * Every key of the screen. Help, hints, the palette and docs/keys.md are made from these rows; nothing else names a key.
 * A key means one thing wherever it is bound, and a place is a view, a dialog, or what holds everywhere.
 */
import { hasEnded, isRunning } from '../stores/plans.ts'
import { selectedPlan } from '../stores/selectors.ts'
import type { KeyRow } from './keymap-row.ts'
import {
  allOf,
  decisionIsSuperseded,
  noDecision,
  nodeIsGone,
  noPlan,
  noStrategyHere,
  notConnected,
  nothingToCompare,
  notToApply,
  planHasEnded,
  planIsCancelled,
  type Situation,
} from './situation.ts'

export type ScreenKey<Action extends string = string> = KeyRow<Action, Situation> & {
  /** Named in the line at the bottom of its place. */
  hint?: 'shown'
}

const writing = [
  { action: 'send', keys: ['enter'], label: 'go on', hint: 'shown', whyNot: notConnected },
  { action: 'ownEditor', keys: ['ctrl+e'], label: 'own editor', hint: 'shown' },
] as const

const move = [
  { action: 'up', keys: ['up', 'k'], label: 'up' },
  { action: 'down', keys: ['down', 'j'], label: 'down' },
  { action: 'pageUp', keys: ['pageup', 'ctrl+b'], label: 'a page up' },
  { action: 'pageDown', keys: ['pagedown', 'ctrl+f'], label: 'a page down' },
  { action: 'first', keys: ['home', '<'], label: 'to the first' },
  { action: 'last', keys: ['end', '>'], label: 'to the last' },
] as const

const back = { action: 'back', keys: ['escape', 'q'], label: 'back', hint: 'shown' } as const
/** In a text field letters are text, so only Esc leads back. */
const backFromText = { action: 'back', keys: ['escape'], label: 'back', hint: 'shown' } as const

export const keymap = {
  /** In force everywhere, in text fields too. */
  always: rows([
    {
      action: 'interrupt',
      keys: ['ctrl+c'],
      label: 'interrupt the running step (twice)',
      whyNot: allOf(notConnected, noPlan, nothingRuns),
    },
    { action: 'suspend', keys: ['ctrl+z'], label: 'suspend' },
    { action: 'repaint', keys: ['ctrl+l'], label: 'repaint' },
  ]),
  /** In force wherever no text is being typed. */
  global: rows([
    { action: 'help', keys: ['?', 'f1'], label: 'all keys' },
    { action: 'palette', keys: [':'], label: 'find a command' },
    { action: 'theme', keys: ['t'], label: 'next theme' },
    {
      action: 'restart',
      keys: ['R'],
      label: 'start the backend again',
      when: ({ connection }) => connection.kind === 'disconnected' || connection.kind === 'error',
    },
  ]),
  home: rows([
    { ...move[0] },
    { ...move[1], label: 'move', hintKeys: ['up', 'down'], hint: 'shown' },
    ...move.slice(2),
    { action: 'fold', keys: ['left', 'h'], label: 'fold, or to the parent' },
    { action: 'unfold', keys: ['right', 'l'], label: 'open, or to the first child' },
    { action: 'open', keys: ['enter'], label: 'open', hint: 'shown', whyNot: nodeIsGone },
    { action: 'nextPane', keys: ['tab'], label: 'next pane' },
    { action: 'previousPane', keys: ['shift+tab'], label: 'previous pane' },
    { action: 'back', keys: ['escape'], label: 'to the pane before' },
    {
      action: 'diff',
      keys: ['d'],
      label: 'diff',
      hint: 'shown',
      whyNot: allOf(notConnected, noPlan, nodeIsGone),
    },
    {
      action: 'compare',
      keys: ['='],
      label: 'compare',
      whyNot: allOf(notConnected, noPlan, nodeIsGone, nothingToCompare),
    },
    {
      action: 'correct',
      keys: ['c'],
      label: 'correct',
      hint: 'shown',
      whyNot: allOf(notConnected, noPlan, nodeIsGone, noDecision, decisionIsSuperseded, planIsCancelled),
    },
    { action: 'gates', keys: ['g'], label: 'gates', hint: 'shown' },
    { action: 'newPlan', keys: ['n'], label: 'new plan', hint: 'shown', whyNot: notConnected },
    { action: 'demo', keys: ['D'], label: 'demo', whyNot: notConnected },
    { action: 'filter', keys: ['/'], label: 'filter', hint: 'shown' },
    { action: 'inspect', keys: ['i'], label: 'next tab: decision, steps, log' },
    { action: 'toggleFold', keys: ['space'], label: 'fold or open' },
    { action: 'foldAll', keys: ['z'], label: 'fold or open all' },
    { action: 'superseded', keys: ['s'], label: 'show or hide superseded' },
    { action: 'order', keys: ['o'], label: 'change the order' },
    { action: 'follow', keys: ['f'], label: 'follow the newest decision' },
    {
      action: 'pause',
      keys: ['p'],
      label: 'pause or resume',
      whyNot: allOf(notConnected, noPlan, planHasEnded),
    },
    {
      action: 'cancel',
      keys: ['X'],
      label: 'cancel the plan (asks)',
      whyNot: allOf(notConnected, noPlan, planHasEnded),
    },
    { action: 'copy', keys: ['y'], label: 'copy the id', whyNot: allOf(noPlan, nodeIsGone) },
    {
      action: 'undo',
      keys: ['u'],
      label: 'undo the last correction or rollback',
      whyNot: allOf(notConnected, noPlan, planHasEnded),
    },
    { action: 'profiles', keys: ['P'], label: 'automation profiles', whyNot: notConnected },
    { action: 'audit', keys: ['A'], label: 'audit of the plan', whyNot: allOf(notConnected, noPlan) },
    { action: 'leave', keys: ['q'], label: 'leave' },
  ]),
  filter: rows([{ action: 'keep', keys: ['enter'], label: 'keep the filter', hint: 'shown' }, backFromText]),
  gates: rows([...move, { action: 'open', keys: ['enter'], label: 'open', hint: 'shown' }, back]),
  gate: rows([
    { action: 'approve', keys: ['a'], label: 'then enter: approve' },
    {
      action: 'option',
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      label: 'then enter: approve with this option',
    },
    { action: 'requestChanges', keys: ['r'], label: 'request changes' },
    { action: 'reject', keys: ['x'], label: 'then enter: reject' },
    { action: 'diff', keys: ['d'], label: 'diff', hint: 'shown', whyNot: notConnected },
    {
      action: 'ownEditor',
      keys: ['ctrl+e'],
      label: 'edit the strategy in your own editor',
      whyNot: allOf(notConnected, noStrategyHere),
    },
    ...move,
    { ...back, label: 'close, the gate stays open' },
  ]),
  guidance: rows([...writing, backFromText]),
  append: rows([
    ...writing,
    { action: 'nextAction', keys: ['tab'], label: 'with another action', hint: 'shown' },
    { action: 'previousAction', keys: ['shift+tab'], label: 'with the action before' },
    backFromText,
  ]),
  diff: rows([
    ...move,
    { action: 'nextFile', keys: [']'], label: 'next file', hint: 'shown' },
    { action: 'previousFile', keys: ['['], label: 'previous file' },
    { action: 'nextHunk', keys: ['}'], label: 'next hunk', hint: 'shown' },
    { action: 'previousHunk', keys: ['{'], label: 'previous hunk' },
    { action: 'left', keys: ['left', 'h'], label: 'to the left' },
    { action: 'right', keys: ['right', 'l'], label: 'to the right' },
    { action: 'wrap', keys: ['w'], label: 'wrap long lines' },
    { action: 'choose', keys: ['space'], label: 'choose hunk', hint: 'shown', whyNot: notToApply },
    { action: 'chooseFile', keys: ['m'], label: 'choose file', whyNot: notToApply },
    { action: 'expand', keys: ['e'], label: 'show the whole file' },
    { action: 'sideBySide', keys: ['v'], label: 'split', hint: 'shown' },
    back,
  ]),
  compare: rows([
    { ...move[0] },
    { ...move[1], label: 'move', hintKeys: ['up', 'down'], hint: 'shown' },
    ...move.slice(2),
    { action: 'open', keys: ['enter'], label: 'compare', hint: 'shown', whyNot: notConnected },
    back,
  ]),
  correct: rows([
    { ...move[0] },
    { ...move[1], label: 'move', hintKeys: ['up', 'down'], hint: 'shown' },
    ...move.slice(2),
    {
      action: 'choose',
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      label: 'take the one with this number',
      whyNot: notConnected,
    },
    { action: 'next', keys: ['enter'], label: 'next', hint: 'shown', whyNot: notConnected },
    {
      action: 'compare',
      keys: ['='],
      label: 'compare',
      whyNot: allOf(notConnected, nothingToCompare),
    },
    back,
  ]),
  preview: rows([
    { ...move[0] },
    { ...move[1], label: 'why, row by row', hintKeys: ['up', 'down'], hint: 'shown' },
    ...move.slice(2),
    { action: 'confirm', keys: ['a'], label: 'do as shown', hint: 'shown', whyNot: notConnected },
    back,
  ]),
  undo: rows([
    { ...move[0] },
    { ...move[1], label: 'why, row by row', hintKeys: ['up', 'down'], hint: 'shown' },
    ...move.slice(2),
    { action: 'confirm', keys: ['a'], label: 'do as shown', hint: 'shown', whyNot: notConnected },
    back,
  ]),
  newPlan: rows([
    { action: 'up', keys: ['up', 'shift+tab'], label: 'up' },
    { action: 'down', keys: ['down', 'tab'], label: 'down', hint: 'shown' },
    { action: 'next', keys: ['enter'], label: 'next', hint: 'shown' },
    { action: 'profile', keys: ['ctrl+p'], label: 'next profile', hint: 'shown' },
    { action: 'trust', keys: ['ctrl+t'], label: "let the folder's own checks run, or not" },
    { action: 'pageDown', keys: ['pagedown'], label: 'trust, profile and what waits: down' },
    { action: 'pageUp', keys: ['pageup'], label: 'trust, profile and what waits: up' },
    { action: 'start', keys: ['ctrl+s'], label: 'start the plan', whyNot: notConnected },
    backFromText,
  ]),
  profiles: rows([
    { action: 'previous', keys: ['left', 'h'], label: 'profile before' },
    {
      action: 'next',
      keys: ['right', 'l'],
      label: 'next profile',
      hintKeys: ['left', 'right'],
      hint: 'shown',
    },
    { action: 'nextPage', keys: ['tab'], label: 'next page', hint: 'shown' },
    { action: 'previousPage', keys: ['shift+tab'], label: 'page before' },
    ...move,
    back,
  ]),
  audit: rows([
    { ...move[0] },
    { ...move[1], label: 'move', hintKeys: ['up', 'down'], hint: 'shown' },
    ...move.slice(2),
    { action: 'previous', keys: ['left', 'h'], label: 'type before' },
    { action: 'next', keys: ['right', 'l'], label: 'one type', hintKeys: ['left', 'right'], hint: 'shown' },
    { action: 'nextResult', keys: ['tab'], label: 'allowed, denied', hint: 'shown' },
    { action: 'previousResult', keys: ['shift+tab'], label: 'result before' },
    { action: 'detailsDown', keys: ['J'], label: 'details down' },
    { action: 'detailsUp', keys: ['K'], label: 'details up' },
    { action: 'export', keys: ['E'], label: 'export', hint: 'shown', whyNot: notConnected },
    back,
  ]),
  exportFile: rows([
    { action: 'write', keys: ['enter'], label: 'write', hint: 'shown', whyNot: notConnected },
    backFromText,
  ]),
  help: rows([...move, back]),
  palette: rows([
    { action: 'up', keys: ['up', 'shift+tab'], label: 'up' },
    { action: 'down', keys: ['down', 'tab'], label: 'down' },
    { action: 'run', keys: ['enter'], label: 'run', hint: 'shown' },
    backFromText,
  ]),
  cancel: rows([
    { action: 'confirm', keys: ['X'], label: 'cancel the plan', hint: 'shown', whyNot: notConnected },
    { ...back, label: 'keep it' },
  ]),
  leave: rows([
    {
      action: 'keepRunning',
      keys: ['b'],
      label: 'leave, keep running in the background',
      hint: 'shown',
      whyNot: notConnected,
    },
    { action: 'pauseAll', keys: ['p'], label: 'pause and leave', hint: 'shown' },
    { ...back, label: 'stay' },
  ]),
}

export type Place = keyof typeof keymap
export type ActionIn<In extends Place> = (typeof keymap)[In][number]['action']

/** What a place is called in help and documentation. */
export const placeTitles: Record<Place, string> = {
  always: 'Everywhere',
  global: 'Wherever no text is typed',
  home: 'Home',
  filter: 'Filter',
  gates: 'Gates',
  gate: 'Gate',
  guidance: 'Request changes, guidance',
  append: 'Add work on top',
  diff: 'Diff',
  compare: 'Compare',
  correct: 'Correct',
  preview: 'Preview of a correction',
  undo: 'Undo a correction or rollback',
  newPlan: 'New plan',
  profiles: 'Automation profiles',
  audit: 'Audit',
  exportFile: 'Audit, name of the file',
  help: 'Help',
  palette: 'Find a command',
  cancel: 'Cancel a plan',
  leave: 'Leave',
}

const textPlaces: ReadonlySet<Place> = new Set([
  'filter',
  'guidance',
  'append',
  'newPlan',
  'exportFile',
  'palette',
])

export function isTextPlace(place: Place): boolean {
  return textPlaces.has(place)
}

/** All rows in force in a place, its own first. */
export function rowsOf(place: Place): readonly ScreenKey[] {
  if (place === 'always') return keymap.always
  if (place === 'global') return [...keymap.global, ...keymap.always]
  return [...keymap[place], ...(isTextPlace(place) ? [] : keymap.global), ...keymap.always]
}

function rows<const Action extends string>(
  table: readonly ScreenKey<Action>[],
): readonly ScreenKey<Action>[] {
  return table
}

function nothingRuns({ model, ui }: Situation): string | undefined {
  const plan = selectedPlan(model, ui)
  return plan && (hasEnded(plan) || !isRunning(plan)) ? `Nothing runs in ${plan.name} now.` : undefined
}
