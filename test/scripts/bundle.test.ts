import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import stringWidth from 'string-width'
import { beforeEach, describe, expect, it } from 'vitest'
import { mainBundle, refuseLateCommonJs } from '../../scripts/bundle.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string

beforeEach(async () => {
  folder = await temporaryFolder()
})

describe('the bundle', () => {
  it('reaches the same compositor through #ink-output as Ink itself', async () => {
    const output = await run(`
      import Output from '#ink-output'
      import { createElement } from 'react'
      import { renderToString, Text } from 'ink'
      Output.prototype.get = () => ({ output: 'drawn by us', height: 1 })
      process.stdout.write(renderToString(createElement(Text, null, 'drawn by Ink')))
    `)
    expect(output).toBe('drawn by us')
  })

  it("starts Ink's layout engine without fetch", async () => {
    const output = await run(`
      globalThis.fetch = () => { throw new Error('fetch was used') }
      const { renderToString, Text } = await import('ink')
      const react = await import('react')
      process.stdout.write(renderToString(react.default.createElement(Text, null, 'drawn')))
    `)
    expect(output).toBe('drawn')
  })

  it("leaves Ink's developer tools out, whatever the environment says", async () => {
    const output = await run("import 'ink'\nprocess.stdout.write('ready')", { DEV: 'true' })
    expect(output).toBe('ready')
    expect(await contains('react-devtools-core')).toBe(false)
  })

  it('runs React in its production form whatever the environment says', async () => {
    const output = await run('process.stdout.write(String(process.env.NODE_ENV))', {
      NODE_ENV: 'development',
    })
    expect(output).toBe('production')
  })

  it("loads Node's own modules when their functions are called, and they do the same as ever", async () => {
    const output = await run(`
      import { execFile } from 'node:child_process'
      import { createHash } from 'node:crypto'
      import { existsSync } from 'node:fs'
      import { promisify } from 'node:util'
      import { createContext, Script } from 'node:vm'
      import { deflateSync, inflateSync } from 'node:zlib'
      const loaded = () => ['crypto', 'child_process', 'vm', 'zlib'].filter(name => process.moduleLoadList.includes('NativeModule ' + name))
      const runFile = promisify(execFile)
      const before = loaded()
      const { stdout } = await runFile(process.execPath, ['--eval', 'process.stdout.write("spoken")'])
      const done = [
        stdout,
        createHash('sha256').update('x').digest('hex').slice(0, 6),
        new Script('n + 1').runInContext(createContext({ n: 1 })),
        inflateSync(deflateSync('packed')).toString(),
        existsSync(process.execPath),
      ]
      process.stdout.write(JSON.stringify({ before, done, after: loaded() }))
    `)
    expect(JSON.parse(output)).toEqual({
      before: [],
      done: ['spoken', '2d7116', 2, 'packed', true],
      after: ['crypto', 'child_process', 'vm', 'zlib'],
    })
  })

  it('measures emoji and all other text as string-width does', async () => {
    const texts = ['…', '─', '✔', '✔️', '1', '1️⃣', '👍🏽', '👨‍👩‍👧', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '#⃣', '漢', 'é']
    const output = await run(`
      import stringWidth from 'string-width'
      process.stdout.write(JSON.stringify(${JSON.stringify(texts)}.map(text => stringWidth(text))))
    `)
    expect(JSON.parse(output)).toEqual(texts.map(text => stringWidth(text)))
  })

  it('gives the packages of model providers schemas of their own, so that ours stay few', async () => {
    const program = (providers: string) => `
      import * as z from 'zod'
      const { createOpenAICompatible } = ${providers}
      process.stdout.write(z.string().parse(typeof createOpenAICompatible))
    `
    expect(await run(program("await import('@ai-sdk/openai-compatible')"))).toBe('function')
    const { length } = await startOf()
    await bundle(program('{ createOpenAICompatible: () => {} }'))
    expect((await startOf()).length).toBeGreaterThan(length - 2000)
  })

  it('puts what is imported dynamically into a chunk of its own', async () => {
    const output = await run(`
      if (process.argv.includes('--draw')) await import('ink')
      process.stdout.write('ready')
    `)
    expect(output).toBe('ready')
    expect(await contains('yoga')).toBe(false)
  })
})

describe('the build', () => {
  it('refuses a CommonJS package that is loaded late, since its names would be missing', async () => {
    const { metafile } = await bundle("export const load = async () => (await import('react')).useState")
    expect(() => refuseLateCommonJs(metafile)).toThrow(/^<stdin> loads \S*react\S* late, which is CommonJS/)
  })

  it('has nothing against one that a module of its own imports by a statement', async () => {
    const { metafile } = await bundle("import { useState } from 'react'\nexport const load = () => useState")
    expect(() => refuseLateCommonJs(metafile)).not.toThrow()
  })
})

async function run(contents: string, env: Record<string, string> = {}): Promise<string> {
  await bundle(contents)
  return execFileSync(process.execPath, [entry()], { encoding: 'utf8', env: { ...process.env, ...env } })
}

/** Bundles a small program in place of src/main.ts, with packages resolved as for the sources. */
function bundle(contents: string) {
  const stdin = { contents, resolveDir: process.cwd() }
  return build({ ...mainBundle(process.cwd(), folder), entryPoints: [], stdin, metafile: true })
}

async function contains(text: string): Promise<boolean> {
  return (await readFile(entry(), 'utf8')).includes(text)
}

/** All that is loaded before the program runs. */
async function startOf(file = entry()): Promise<string> {
  const text = await readFile(file, 'utf8')
  const chunks = [...text.matchAll(/(?:from|import)"\.\/(?<name>[^"]+)"/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  )
  const loaded = await Promise.all(chunks.map(name => startOf(join(folder, name))))
  return [text, ...loaded].join('')
}

function entry(): string {
  return join(folder, 'stdin.mjs')
}
