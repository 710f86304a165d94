import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Result } from '../../domain/failure.ts'
import type { Git } from '../git/git.ts'

/** A small real repository with something worth doing in it; see actions/demo.yaml for what is done. */
export async function createDemoRepository(
  git: Git,
  temporaryFolder: string,
): Promise<Result<{ folder: string }>> {
  const parent = await mkdtemp(join(temporaryFolder, 'agents-demo-'))
  const folder = join(parent, 'shop-api')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  for (const args of commands) {
    const ran = await git({ args, cwd: folder })
    if (!ran.ok) return ran
  }
  return { ok: true, value: { folder } }
}

const commands = [
  ['init', '--quiet', '--initial-branch=main'],
  ['add', '--all'],
  ['commit', '--quiet', '--message', 'Start the shop'],
]

function route(name: string, what: string): string {
  return `import { checkSession } from '../legacy/session.js'

export function ${name}(request) {
  const user = checkSession(request)
  if (!user) return { status: 401, body: 'sign in first' }
  return { status: 200, body: \`${what} of \${user}\` }
}
`
}

const files: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'shop-api', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': `# shop-api

The back end of a small shop. Private routes check the session themselves.
`,
  'src/server.js': `import { showAccount } from './routes/account.js'
import { showCart } from './routes/cart.js'
import { showHealth } from './routes/health.js'
import { listInvoices } from './routes/invoices.js'
import { listOrders } from './routes/orders.js'

const routes = {
  '/account': showAccount,
  '/cart': showCart,
  '/health': showHealth,
  '/invoices': listInvoices,
  '/orders': listOrders,
}

export function handle(path, request) {
  const route = routes[path]
  return route ? route(request) : { status: 404, body: 'not found' }
}
`,
  'src/legacy/session.js': `export function checkSession(request) {
  return request.headers?.session ?? null
}
`,
  'src/routes/account.js': route('showAccount', 'account'),
  'src/routes/cart.js': route('showCart', 'cart'),
  'src/routes/invoices.js': route('listInvoices', 'invoices'),
  'src/routes/orders.js': route('listOrders', 'orders'),
  'src/routes/health.js': `export function showHealth() {
  return { status: 200, body: 'fine' }
}
`,
  'test/routes.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handle } from '../src/server.js'

for (const path of ['/account', '/cart', '/invoices', '/orders']) {
  test(\`\${path} refuses strangers\`, () => {
    assert.equal(handle(path, { headers: {} }).status, 401)
  })
  test(\`\${path} answers who is signed in\`, () => {
    const answer = handle(path, { headers: { session: 'ann' } })
    assert.deepEqual(answer, { status: 200, body: \`\${path.slice(1)} of ann\` })
  })
}

test('/health answers everybody', () => {
  assert.equal(handle('/health', {}).status, 200)
})
`,
}
