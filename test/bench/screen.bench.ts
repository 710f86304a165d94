import { Box, Text } from 'ink'
import { createElement, useSyncExternalStore } from 'react'
import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { mountForTest } from '../support/mount-screen.ts'
import { type Drive, driveScreen } from '../support/screen-driver.tsx'
import { aDecision, createEventMaker } from '../support/screen-views.ts'
import { shopBackend, shopPlan } from '../support/shop-story.ts'

const KEYS = 60
const EVENTS_PER_KEY = 30

/** From a key to the frame that shows it, all in this process: store, components, Ink, driver, terminal. */
export async function measure(): Promise<Measurement[]> {
  const floor = { what: 'bare Ink that changes one of 38 rows', value: percentile(await bareKeys(), 0.5) }
  const small = await measureKeys(await driveScreen(shopBackend()), () => {})
  const large = await measureLarge()
  return [
    ...rows('small tree', small, floor),
    ...rows(`10,000 decisions, ${EVENTS_PER_KEY} events between keys`, large, floor),
  ]
}

interface Keys {
  readonly ms: readonly number[]
  readonly bytes: readonly number[]
}

function rows(what: string, { ms, bytes }: Keys, floor: Measurement['floor']): Measurement[] {
  return [
    { what: `key to paint p50, ${what}`, value: percentile(ms, 0.5), unit: 'ms', floor },
    { what: `key to paint p95, ${what}`, value: percentile(ms, 0.95), unit: 'ms', floor },
    { what: `bytes for a key, ${what}`, value: percentile(bytes, 0.5), unit: 'bytes', floor: null },
  ]
}

async function measureLarge(): Promise<Keys> {
  const decisions = Array.from({ length: 10_000 }, (_, at) => aNode(at))
  const backend = shopBackend({
    '_cleveragents/plan/tree': ({ plan_id }) => ({ plan_id, decisions, edges: [], plans: [] }),
  })
  const anEvent = createEventMaker(10)
  return measureKeys(await driveScreen(backend), () => {
    for (let at = 0; at < EVENTS_PER_KEY; at++) {
      const changes = { files: at, additions: at, deletions: 0 }
      const facts = { decision_id: idOf((at * 331) % 10_000), changes }
      backend.send(anEvent('_cleveragents/decision/workDone', facts, shopPlan.plan_id))
    }
  })
}

function aNode(at: number): DecisionView {
  return aDecision({
    decision_id: idOf(at),
    number: at + 1,
    plan_id: shopPlan.plan_id,
    parent_decision_id: at === 0 ? null : idOf(Math.floor((at - 1) / 20)),
    question: `Question ${at}?`,
  })
}

function idOf(number: number): string {
  return `01K${String(number).padStart(23, '0')}`
}

async function measureKeys(drive: Drive, between: () => void): Promise<Keys> {
  await drive.keys('\t')
  const ms: number[] = []
  const bytes: number[] = []
  for (let key = 0; key < KEYS; key++) {
    between()
    drive.clock.advance(300)
    await drive.settle()
    const before = drive.writes.length
    const start = performance.now()
    await drive.press(key % 2 === 0 ? 'j' : 'k')
    if (drive.writes.length === before) await drive.pass(17)
    ms.push(performance.now() - start)
    bytes.push(Buffer.byteLength(drive.writes.slice(before).join('')))
  }
  drive.controller.stop()
  await drive.screen.store.stop('ends')
  drive.session.end({ kind: 'closed' })
  return { ms, bytes }
}

async function bareKeys(): Promise<number[]> {
  const mounted = await mountForTest(createElement(BareRows), { columns: 120, rows: 40, rowMemo: false })
  const ms: number[] = []
  for (let key = 0; key < KEYS; key++) {
    const start = performance.now()
    bare.selected = key % 2
    bare.changed()
    await mounted.settle()
    ms.push(performance.now() - start)
  }
  mounted.session.end({ kind: 'closed' })
  return ms
}

const bare = { selected: 0, changed: () => {} }

function BareRows() {
  const selected = useSyncExternalStore(listen, () => bare.selected)
  const lines = Array.from({ length: 38 }, (_, row) => {
    const text = `${row === selected ? '>' : ' '} row ${row} `.repeat(8)
    return createElement(Text, { key: row, wrap: 'truncate' }, text)
  })
  return createElement(Box, { flexDirection: 'column', width: 120, height: 40 }, lines)
}

function listen(listener: () => void): () => void {
  bare.changed = listener
  return () => {}
}
