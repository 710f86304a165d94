import { lstatSync } from 'node:fs'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relPathFromBytes } from '../../../src/domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../../src/domain/sandbox/strategy.ts'
import { bytes, lines } from '../../support/contract-files.ts'
import { makeRepository } from '../../support/repository.ts'
import { expectOk } from '../../support/result.ts'
import { all, checkpoint, never, openSandbox } from '../../support/sandbox.ts'

const runs = process.env['LONG'] === '1' ? 200 : 3
const seed = 7

const name = fc.constantFrom('a', 'b', 'a/x', 'a/y', 'b/x/deep', 'c.txt', 'd d', 'é"\n')
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, text: fc.string({ maxLength: 20 }) }),
  fc.record({ kind: fc.constant('executable' as const), name }),
  fc.record({ kind: fc.constant('link' as const), name, target: name }),
  fc.record({ kind: fc.constant('remove' as const), name }),
)
interface Edit {
  readonly kind: 'write' | 'executable' | 'link' | 'remove'
  readonly name: string
  readonly text?: string
  readonly target?: string
}

test('restoring any checkpoint gives exactly what was there, whatever happened in between', async () => {
  const repository = await makeRepository({ files: { 'a/x': 'x\n', 'c.txt': lines(10) } })
  const sandbox = await openSandbox(repository)
  const rounds = fc.array(fc.array(edit, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })

  await fc.assert(
    fc.asyncProperty(rounds, fc.nat(), async (edits, choice) => {
      const states: { state: SandboxState; files: Record<string, string> }[] = []
      for (const round of edits) {
        for (const one of round) await perform(sandbox.root, one)
        states.push({
          state: await checkpoint(sandbox),
          files: withoutEmptyFolders(await bytes(sandbox.root)),
        })
      }
      const chosen = states[choice % states.length]
      if (!chosen) throw new Error('no state')
      expectOk(await sandbox.restore(chosen.state))
      expect(withoutEmptyFolders(await bytes(sandbox.root))).toEqual(chosen.files)
    }),
    { numRuns: runs, seed },
  )
})

test('a checkpoint of named files is the one that git makes of the whole folder', async () => {
  const repository = await makeRepository({
    files: { 'a/x': 'x\n', 'c.txt': lines(10), '.gitignore': '*.log\nb/y\n' },
  })
  const sandbox = await openSandbox(repository)
  await checkpoint(sandbox)
  const names = ['a', 'a/x', 'a/y', 'b', 'b/x/deep', 'b/y', 'c.txt', 'd d', 'new/er.txt', 'new/noise.log']
  const change = fc.record({
    kind: fc.constantFrom('write' as const, 'executable' as const, 'link' as const, 'remove' as const),
    name: fc.constantFrom(...names),
    text: fc.string({ maxLength: 20 }),
    target: fc.constantFrom('c.txt', 'nowhere'),
  })

  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      const before = names.filter(each => isFile(join(sandbox.root, each)))
      for (const one of changes) await perform(sandbox.root, one)
      const touched = new Set([...before, ...changes.map(one => one.name)])
      const named = expectOk(await sandbox.checkpoint('named', [...touched].map(relPath)))
      expect(await checkpoint(sandbox)).toBe(named)
    }),
    { numRuns: runs * 4, seed },
  )
})

test('apply keeps every edit of both sides when they are apart', async () => {
  const total = 40
  const side = fc.uniqueArray(fc.nat({ max: total / 2 - 3 }), { minLength: 1, maxLength: 5 })

  await fc.assert(
    fc.asyncProperty(side, side, async (user, plan) => {
      const repository = await makeRepository({ files: { 'a.txt': lines(total), 'b.txt': lines(total) } })
      const sandbox = await openSandbox(repository)
      const userLines = user.map(line => line + 1)
      const planLines = plan.map(line => line + total / 2 + 3)
      for (const file of ['a.txt', 'b.txt']) {
        await writeFile(join(repository.root, file), withEdits(total, { user: userLines, plan: [] }))
        await writeFile(join(sandbox.root, file), withEdits(total, { user: [], plan: planLines }))
      }
      expectOk(await sandbox.apply(all(sandbox, await checkpoint(sandbox)), never))
      await writeFile(join(sandbox.root, 'a.txt'), withEdits(total, { user: userLines, plan: planLines }))
      await writeFile(join(sandbox.root, 'b.txt'), withEdits(total, { user: userLines, plan: planLines }))
      expect(await bytes(repository.root)).toEqual(await bytes(sandbox.root))
    }),
    { numRuns: runs, seed },
  )
})

async function perform(root: string, edit: Edit): Promise<void> {
  const path = join(root, edit.name)
  await clearTheWay(root, edit.name)
  if (edit.kind === 'remove') return
  if (edit.kind === 'link') return symlink(edit.target ?? '', path)
  await writeFile(path, edit.kind === 'write' ? (edit.text ?? '') : '#!/bin/sh\n')
  if (edit.kind === 'executable') await chmod(path, 0o755)
}

// Whatever stands at the path or, as a file or link, above it makes room.
async function clearTheWay(root: string, name: string): Promise<void> {
  const parts = name.split('/')
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth))
    await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      await rm(folder).catch(() => {})
      await mkdir(folder, { recursive: true })
    })
  }
  await rm(join(root, name), { recursive: true, force: true })
  await mkdir(dirname(join(root, name)), { recursive: true })
}

// git trees do not hold them.
function withoutEmptyFolders(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([, line]) => line !== 'folder'))
}

function withEdits(total: number, { user, plan }: { user: number[]; plan: number[] }): string {
  const line = (number: number) =>
    user.includes(number) ? 'user' : plan.includes(number) ? 'plan' : `line ${number}`
  return Array.from({ length: total }, (_, index) => `${line(index + 1)}\n`).join('')
}

function isFile(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

function relPath(name: string) {
  return expectOk(relPathFromBytes(Buffer.from(name)))
}
