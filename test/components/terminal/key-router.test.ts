import { expect, test } from 'vitest'
import { conflictingKeys, type KeyRow, keyLabel } from '../../../components/keymap-row.ts'
import { createInputParser } from '../../../components/terminal/input-parser.ts'
import { createKeyRouter } from '../../../components/terminal/key-router.ts'
import { createFakeClock } from '../../support/clock.ts'

type Context = { canApply: boolean }

const homeRows: KeyRow<string, Context>[] = [
  { action: 'move', keys: ['down', 'j'], label: 'move' },
  {
    action: 'apply',
    keys: ['A'],
    label: 'apply',
    whyNot: c => (c.canApply ? undefined : 'nothing to apply'),
  },
  { action: 'leave', keys: ['q'], label: 'leave' },
]

function openRouter() {
  const clock = createFakeClock()
  const context = { canApply: false }
  const router = createKeyRouter<Context>(clock, () => context)
  const parser = createInputParser(clock, router.dispatch)
  const did: string[] = []
  const mode = (name: string, rows: KeyRow<string, Context>[]) => ({
    name,
    rows,
    run: (action: string) => did.push(`${name}:${action}`),
    refuse: (refusal: string) => did.push(`${name}:refused ${refusal}`),
  })
  return {
    clock,
    context,
    router,
    did,
    mode,
    type: (keys: string) => parser.push(new TextEncoder().encode(keys)),
  }
}

test('keys typed before the screen accepts them are kept and act in order', () => {
  const { router, did, mode, type } = openRouter()
  router.open(mode('home', homeRows))
  type('jj')
  expect(did).toEqual([])
  router.accept()
  type('q')
  expect(did).toEqual(['home:move', 'home:move', 'home:leave'])
})

test('a mode that guards an answer never gets keys typed before it opened', () => {
  const { clock, router, did, mode, type } = openRouter()
  router.open({ ...mode('gate', [{ action: 'approve', keys: ['a'], label: 'approve' }]), isGuarded: true })
  type('aa')
  router.accept()
  type('a')
  expect(did).toEqual([])
  clock.advance(1)
  type('a')
  expect(did).toEqual(['gate:approve'])
})

test('keys that follow in the chunk that opened a guarded mode do not reach it', () => {
  const { router, did, mode, type } = openRouter()
  const gate = { ...mode('gate', [{ action: 'approve', keys: ['a'], label: 'approve' }]), isGuarded: true }
  router.open({
    ...mode('home', [{ action: 'open', keys: ['g'], label: 'gate' }]),
    run: () => router.open(gate),
  })
  router.accept()
  type('ga')
  expect(did).toEqual([])
})

test('the newest mode is asked first and what it does not use falls through', () => {
  const { router, did, mode, type } = openRouter()
  router.open(mode('home', homeRows))
  const close = router.open(mode('pane', [{ action: 'fold', keys: ['j'], label: 'fold' }]))
  router.accept()
  type('jq')
  close()
  type('j')
  expect(did).toEqual(['pane:fold', 'home:leave', 'home:move'])
})

test('a modal mode keeps everything from the modes below and from the hints', () => {
  const { router, did, mode, type } = openRouter()
  router.open(mode('home', homeRows))
  router.open({ ...mode('dialog', [{ action: 'close', keys: ['escape'], label: 'close' }]), isModal: true })
  router.accept()
  type('q')
  expect(did).toEqual([])
  expect(router.activeRows().map(row => row.action)).toEqual(['close'])
})

test('an action that cannot be done now says why and is not done', () => {
  const { router, did, mode, type, context } = openRouter()
  router.open(mode('home', homeRows))
  router.accept()
  type('A')
  context.canApply = true
  type('A')
  expect(did).toEqual(['home:refused nothing to apply', 'home:apply'])
})

test('an editor takes its text before the rows see it', () => {
  const { router, did, mode, type } = openRouter()
  router.open({
    ...mode('editor', homeRows),
    intercept: event => event.type === 'key' && event.text !== '' && did.push(event.text) > 0,
  })
  router.accept()
  type('jq\u001b[B')
  expect(did).toEqual(['j', 'q', 'editor:move'])
})

test('a released key does nothing', () => {
  const { router, did, mode, type } = openRouter()
  router.open(mode('home', homeRows))
  router.accept()
  type('\u001b[113;1:3u')
  expect(did).toEqual([])
})

test('two rows that claim one key are found', () => {
  expect(conflictingKeys(homeRows)).toEqual([])
  expect(conflictingKeys([...homeRows, { action: 'quit', keys: ['q'], label: 'quit' }])).toEqual(['q'])
})

test.each([
  ['up', '↑'],
  ['enter', '⏎'],
  ['ctrl+l', 'ctrl+l'],
  ['shift+up', 'shift+↑'],
  ['+', '+'],
])('the key %s is shown as %s', (key, label) => {
  expect(keyLabel(key)).toBe(label)
})
