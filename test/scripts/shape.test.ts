import { describe, expect, it } from 'vitest'
import { shapeOf } from '../../scripts/shape.ts'
import { writeFiles } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const repeated = lines('same', 6)

const tree: Record<string, string> = {
  'src/domain/long.ts': `import 'execa'\n${lines('long', 400)}\n`,
  'src/domain/first.ts': repeated,
  'src/domain/second.ts': `// legacy\n${repeated}`,
  'src/application/use.ts': [
    'export function use(a: string, b: string, c: string, d: string, isFast: boolean, quiet = true) {',
    '  if (a) { for (const x of b) { while (x) { try { c } catch { d } } } }',
    '  if (a) { b } else if (b) { c } else if (c) { d } else if (d) { a }',
    '  return [isFast, quiet]',
    '}',
    `export const big = () => {${'\n'.repeat(60)}}`,
  ].join('\n'),
  'src/application/escapes.ts': [
    'export const one: any = two as string',
    "export const fine = ['a'] as const",
    'export const three = one!',
    '// biome-ignore lint: why',
    'process.exit(Number(process.env.CODE))',
    'console.log(Date.now(), Math.random(), new Date())',
  ].join('\n'),
  'src/infrastructure/clock.ts': 'export const now = () => Date.now()',
  'src/infrastructure/tools/index.ts': "import './write.ts'",
  'src/infrastructure/tools/write.ts': "import './inside.ts'",
  'src/infrastructure/tools/inside.ts': 'export {}',
  'src/infrastructure/tools/forgotten.ts': 'export {}',
  'components/App.tsx': [
    "import type { One } from '../src/application/use.ts'",
    "export const App = (key: One) => (key === 'q' ? <Box color='red' /> : <Box color='danger' />)",
  ].join('\n'),
  'stores/a.ts': "import type { B } from './b.ts'\nexport type A = B",
  'stores/b.ts': "import { A } from './a.ts'\nexport type B = A",
  'test/use.test.ts': "vi.mock('../src/application/use.ts')\nit.skip('waits', () => setTimeout(resolve, 50))",
}

describe('the shape', () => {
  it('counts what it says it counts', async () => {
    const root = await temporaryFolder()
    await writeFiles(root, tree)
    const rows = shapeOf(root).map(row => [row.what, row.value ?? row.found.length])
    expect(Object.fromEntries(rows)).toMatchObject({
      'files over 400 lines': 1,
      'functions over 60 lines': 1,
      'largest function, lines': '61',
      'functions with over 4 parameters': 1,
      'boolean parameters': 1,
      'nesting of 4 or more': 1,
      'folders over 20 files': 0,
      'circles of imports, values': 0,
      'circles of imports, types and late ones too': 1,
      'imports against the direction': 2,
      'of these, screen or cli reaching inside': 1,
      'domain importing anything but domain and zod': 1,
      'members missing from the index of their family': 1,
      any: 1,
      'as (but not as const)': 1,
      '! against null': 1,
      suppressions: 1,
      'environment outside its files': 1,
      'exit outside its files': 1,
      'time outside its files': 2,
      'randomness outside its files': 1,
      'console outside its files': 1,
      'runs of 6 lines that stand elsewhere too': 1,
      'mocks of our own modules': 1,
      'sleeps in tests': 1,
      'tests skipped, focused or to do': 1,
      'words of history in comments': 1,
      'colours outside themes': 1,
      'keys outside the key map': 1,
    })
  })

  it('says where', async () => {
    const root = await temporaryFolder()
    await writeFiles(root, tree)
    const keys = shapeOf(root).find(row => row.what === 'keys outside the key map')
    expect(keys?.found).toEqual(["components/App.tsx:2 key === 'q'"])
  })
})

function lines(name: string, count: number): string {
  return Array.from({ length: count }, (_, line) => `export const ${name}${line} = ${line}`).join('\n')
}
