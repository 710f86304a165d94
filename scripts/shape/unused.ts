import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { Row } from './row.ts'

const reportSchema = z.object({
  issues: z.array(z.object({ file: z.string() }).catchall(z.unknown())),
})
const namesSchema = z.array(z.object({ name: z.string() }))

/** What knip finds, once for everything and once for the product alone: what only tests use is unused there. */
export async function unusedRows(root: string): Promise<Row[]> {
  const [everything, production] = await Promise.all([knip(root, []), knip(root, ['--production'])])
  return [...rowsOf(everything, 'unused'), ...rowsOf(production, 'unused by the product')]
}

async function knip(root: string, flags: readonly string[]): Promise<unknown> {
  const args = ['--reporter', 'json', '--no-exit-code', '--no-progress', '--no-config-hints', ...flags]
  const { stdout } = await promisify(execFile)('knip', args, { cwd: root, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

const kinds = {
  files: ['files'],
  exports: ['exports', 'types', 'enumMembers', 'namespaceMembers'],
  dependencies: ['dependencies', 'devDependencies'],
} as const

function rowsOf(json: unknown, what: string): Row[] {
  const { issues } = reportSchema.parse(json)
  return Object.entries(kinds).map(([kind, fields]) => ({
    what: `${kind} ${what}`,
    found: issues.flatMap(issue =>
      fields.flatMap(field =>
        namesSchema
          .catch([])
          .parse(issue[field])
          .map(({ name }) => describe(issue.file, name)),
      ),
    ),
  }))
}

function describe(file: string, name: string): string {
  return file === name ? file : `${file} ${name}`
}
