import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRelPath } from '../../../src/domain/sandbox/rel-path.ts'
import { placeSearched, selectFiles } from '../../../src/infrastructure/tools/select-files.ts'
import { toolContext } from '../../contracts/tool.ts'
import { startBusyWriter } from '../../support/busy-writer.ts'
import { expectOk } from '../../support/result.ts'

describe('the files a tool looks at', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'select-files-'))
    for (const path of ['a.ts', 'a.test.ts', 'src/b.ts', 'src/test/c.ts']) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), 'x')
    }
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it.each<[string, string[], string[]]>([
    ['**', [], ['a.test.ts', 'a.ts', 'src/b.ts', 'src/test/c.ts']],
    ['**', ['**/*.test.*', '**/test/**'], ['a.ts', 'src/b.ts']],
    ['src/**', ['src/b.ts'], ['src/test/c.ts']],
    ['src/**', ['**'], []],
  ])('are those of %s without %j', async (glob, exclude, paths) => {
    const selected = await selectFiles({ glob, exclude }, toolContext(root))
    expect(selected.ok ? selected.value.map(file => file.path).sort() : selected.failure).toEqual(paths)
  })

  it('are found while a program makes and removes folders among them', async () => {
    const writer = await startBusyWriter(root)
    for (let look = 0; look < 100; look++) {
      const selected = await selectFiles(
        { glob: '**', exclude: ['**/busy-*', '**/below.txt'] },
        toolContext(root),
      )
      const paths = selected.ok ? selected.value.map(file => file.path).sort() : selected.failure
      expect(paths).toEqual(['a.test.ts', 'a.ts', 'src/b.ts', 'src/test/c.ts'])
    }
    await writer.stop()
  })

  it('are refused when an excluding pattern leaves the project', async () => {
    const selected = await selectFiles({ glob: '**', exclude: ['../x'] }, toolContext(root))
    expect(selected.ok ? null : selected.failure.code).toBe('invalid_input')
  })

  it.each<[string, string[], string, string[], string[]]>([
    ['src/**', ['**/*.test.*'], 'src/', ['src/new.ts', 'src/a/b'], ['src/a.test.ts', 'docs/a']],
    ['src/lib-*/a.ts', [], 'src/', ['src/lib-x/a.ts'], ['src/lib/a.ts']],
    ['./docs/a.md', [], 'docs/a.md', ['docs/a.md'], ['docs/b.md']],
    ['**', [], '', ['.hidden/x'], []],
  ])(
    '%s without %j says where it looks, whether or not files are there',
    (glob, exclude, prefix, yes, no) => {
      const searched = placeSearched({ glob, exclude })
      expect(searched?.prefix).toBe(prefix)
      const looksAt = (text: string) => searched?.looksAt(expectOk(parseRelPath(text)))
      expect([yes.map(looksAt), no.map(looksAt)]).toEqual([yes.map(() => true), no.map(() => false)])
    },
  )
})
