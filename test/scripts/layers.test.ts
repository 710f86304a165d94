import { spawnSync } from 'node:child_process'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkLayers } from '../../scripts/layers.ts'
import { writeFiles } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let root: string

beforeEach(async () => {
  root = await temporaryFolder()
})

const upright: Record<string, string> = {
  'package.json': '{}',
  'src/launch.ts': "void import('./main.ts')",
  'src/main.ts': "import './cli/program.ts'\nvoid import('./compose.ts')",
  'src/compose.ts': "import './infrastructure/store.ts'\nvoid import('../components/App.tsx')",
  'src/cli/program.ts':
    "import type { View } from '../a2a/protocol/views.ts'\nexport const show = (view: View) => view",
  'src/a2a/protocol/views.ts': "import { z } from 'zod'\nexport type View = z.infer<typeof z.string>",
  'src/a2a/client/client.ts': "export type { View } from '../protocol/views.ts'",
  'src/a2a/server/handle.ts': "import { use } from '../../application/use.ts'\nuse()",
  'src/application/ports.ts':
    "import type { Plan } from '../domain/plan.ts'\nexport type Store = (plan: Plan) => void",
  'src/application/use.ts':
    "import type { Store } from './ports.ts'\nexport const use = (store?: Store) => store",
  'src/domain/plan.ts': "import { z } from 'zod'\nexport type Plan = z.infer<typeof z.string>",
  'src/infrastructure/store.ts':
    "import type { Store } from '../application/ports.ts'\nimport 'node:fs'\nexport type S = Store",
  'components/App.tsx':
    "import { plans } from '../stores/plans.ts'\nexport const App = () => <plans>{plans}</plans>",
  'stores/plans.ts':
    "import type { View } from '../src/a2a/client/client.ts'\nexport const plans: View[] = []",
  'themes/dark.ts': 'export const dark = {}',
  'test/support/backend.ts': "import '../../src/compose.ts'",
}

describe('the check on layers', () => {
  it('has nothing to say about imports that go the right way', async () => {
    expect(await check({})).toEqual([])
  })

  it.each([
    [
      'domain',
      'src/domain/plan.ts',
      '../application/use.ts',
      'imports src/application/use.ts, but src/domain may import only src/domain',
    ],
    [
      'application',
      'src/application/use.ts',
      '../infrastructure/store.ts',
      'imports src/infrastructure/store.ts, but src/application may import only src/application, src/domain',
    ],
    [
      'infrastructure',
      'src/infrastructure/store.ts',
      '../application/use.ts',
      'imports src/application/use.ts, but src/infrastructure may import only src/infrastructure, src/domain, src/application/ports, src/application/ports.ts',
    ],
    [
      'client',
      'src/a2a/client/client.ts',
      '../../domain/plan.ts',
      'imports src/domain/plan.ts, but src/a2a/client may import only src/a2a/client, src/a2a/protocol',
    ],
    [
      'protocol',
      'src/a2a/protocol/views.ts',
      '../../domain/plan.ts',
      'imports src/domain/plan.ts, but src/a2a/protocol may import only src/a2a/protocol',
    ],
    [
      'server',
      'src/a2a/server/handle.ts',
      '../../infrastructure/store.ts',
      'imports src/infrastructure/store.ts, but src/a2a/server may import only src/a2a/server, src/a2a/protocol, src/application, src/domain',
    ],
    [
      'cli',
      'src/cli/program.ts',
      '../application/use.ts',
      'imports src/application/use.ts, but src/cli may import only src/cli, src/text, src/a2a/client, src/a2a/protocol',
    ],
    [
      'stores',
      'stores/plans.ts',
      '../components/keymap.ts',
      'imports components/keymap.ts, but stores may import only stores, src/a2a/client, src/a2a/protocol',
    ],
    [
      'components',
      'components/App.tsx',
      '../src/domain/plan.ts',
      'imports src/domain/plan.ts, but components may import only components, stores, themes, src/text, src/a2a/client, src/a2a/protocol',
    ],
    [
      'themes',
      'themes/dark.ts',
      '../stores/plans.ts',
      'imports stores/plans.ts, but themes may import only themes',
    ],
    [
      'a test',
      'test/support/backend.ts',
      '../../src/main.ts',
      'imports src/main.ts, which only src/launch.ts may',
    ],
    [
      'the product',
      'src/cli/program.ts',
      '../compose.ts',
      'imports src/compose.ts, which only src/main.ts may',
    ],
    [
      'the product',
      'src/application/use.ts',
      '../../test/support/backend.ts',
      'imports test/support/backend.ts, but src/application may import only src/application, src/domain',
    ],
  ])('refuses an import from %s against the direction', async (_layer, path, specifier, message) => {
    expect(await check({ [path]: `import '${specifier}'` })).toEqual([{ path, line: 1, message }])
  })

  it.each([
    ["import type { Use } from '../application/use.ts'", 'takes a type from'],
    ["export type { Use } from '../application/use.ts'", 'takes a type from'],
    ["export type Use = typeof import('../application/use.ts')", 'takes a type from'],
    ["export * from '../application/use.ts'", 'imports'],
    ["export const use = () => import('../application/use.ts')", 'imports'],
  ])('sees every form of import: %s', async (text, verb) => {
    const message = `${verb} src/application/use.ts, but src/domain may import only src/domain`
    expect(await check({ 'src/domain/plan.ts': `\n${text}` })).toEqual([
      { path: 'src/domain/plan.ts', line: 2, message },
    ])
  })

  it('lets the domain have zod and no other package', async () => {
    expect(await check({ 'src/domain/plan.ts': "import { z } from 'zod'\nimport 'node:fs'" })).toEqual([
      {
        path: 'src/domain/plan.ts',
        line: 2,
        message: 'imports the package node:fs, but of packages src/domain may import only zod',
      },
    ])
  })

  it('refuses an import whose path is known only at run time', async () => {
    expect(
      await check({ 'src/cli/program.ts': 'export const load = (name: string) => import(name)' }),
    ).toEqual([
      expect.objectContaining({
        path: 'src/cli/program.ts',
        line: 1,
        message: expect.stringContaining('only at run time'),
      }),
    ])
  })

  it('refuses files that load each other, and names the shortest circle', async () => {
    const files = {
      'src/domain/a.ts': "import { b } from './b.ts'\nexport const a = b",
      'src/domain/b.ts': "\nimport { c } from './c.ts'\nimport { a } from './a.ts'\nexport const b = [a, c]",
      'src/domain/c.ts': "import { a } from './a.ts'\nexport const c = a",
    }
    expect(await check(files)).toEqual([
      {
        path: 'src/domain/a.ts',
        line: 1,
        message:
          'loads in a circle: src/domain/a.ts -> src/domain/b.ts -> src/domain/a.ts; move what they share into a file of its own, or import only the type',
      },
    ])
  })

  it('allows circles of types, and imports that run later', async () => {
    const files = {
      'src/domain/a.ts': "import type { B } from './b.ts'\nexport type A = B[]",
      'src/domain/b.ts': "import type { A } from './a.ts'\nexport type B = A | string",
      'src/domain/c.ts': "export const c = () => import('./d.ts')",
      'src/domain/d.ts': "import { c } from './c.ts'\nexport const d = c",
    }
    expect(await check(files)).toEqual([])
  })

  it('refuses a file that lies in no layer', async () => {
    expect(await check({ 'src/utils/text.ts': 'export const text = 1' })).toEqual([
      expect.objectContaining({
        path: 'src/utils/text.ts',
        message: expect.stringContaining('lies in no layer'),
      }),
    ])
  })

  it('ends with 1 and says where when it is run on a tree with a wrong import', async () => {
    await writeFiles(root, { ...upright, 'themes/dark.ts': "import '../stores/plans.ts'" })
    const run = spawnSync(process.execPath, ['scripts/layers.ts', root], { encoding: 'utf8' })
    expect({ status: run.status, stderr: run.stderr }).toEqual({
      status: 1,
      stderr:
        'themes/dark.ts:1 imports stores/plans.ts, but themes may import only themes\nlayers: 1 wrong\n',
    })
  })

  it('ends with 0 on an upright tree', async () => {
    await writeFiles(root, upright)
    expect(spawnSync(process.execPath, ['scripts/layers.ts', root]).status).toBe(0)
  })
})

async function check(changes: Record<string, string>) {
  await writeFiles(root, { ...upright, ...changes })
  return checkLayers(root)
}
