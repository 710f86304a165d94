/** The main job from a script: what is changed, what the exit codes say, and what is left alone. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, runAgents } from '../support/agents.ts'
import { makeRepository, type TestRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const replace = ['plan', 'use', 'builtin/replace-text', '--arg', 'find=oldName', '--arg', 'replace=newName']

test('with profile ci exactly the right files of three hundred change, and a dirty edit stays as it is', async () => {
  const { agents, repository } = await atLargeRepository()
  const edited = (await fileOf(repository, 9)).replace('last line', 'last line, edited by hand')
  await writeFile(join(repository.root, pathOf(9)), edited)

  const { code, out } = await runAgents(agents, '--format', 'json', ...replace, '--automation-profile', 'ci')
  const record = JSON.parse(out)
  expect({ code, status: record.status, exit: record.exit_code, state: record.data.state }).toEqual({
    code: 0,
    status: 'ok',
    exit: 0,
    state: 'applied',
  })
  const changed = numbers.filter(at => at % 3 === 0)
  const status = await repository.git('status', '--porcelain')
  expect(status.trimEnd().split('\n').sort()).toEqual(changed.map(at => ` M ${pathOf(at)}`).sort())
  expect(await fileOf(repository, 3)).toBe(contentOf(3).replaceAll('oldName', 'newName'))
  expect(await fileOf(repository, 9)).toBe(edited.replaceAll('oldName', 'newName'))
  expect(await repository.git('diff', '--cached', '--name-only')).toBe('')
})

test('with profile supervised it stops with 3 at every question until it is approved', async () => {
  const { agents, repository } = await atLargeRepository()
  const before = await repository.git('status', '--porcelain')
  const first = await runAgents(agents, ...replace, '--automation-profile', 'supervised')
  expect(first.code).toBe(3)
  expect(await repository.git('status', '--porcelain')).toBe(before)

  const codes: (number | null)[] = []
  while (codes.length < 12 && codes.at(-1) !== 0) {
    const answered = await runAgents(agents, '--format', 'json', 'plan', 'approve', '@latest')
    expect(JSON.parse(answered.out).exit_code).toBe(answered.code)
    codes.push(answered.code)
  }
  expect(new Set(codes.slice(0, -1))).toEqual(new Set([3]))
  expect(codes.at(-1)).toBe(0)
  expect(await fileOf(repository, 3)).toContain('newName')
})

const numbers = Array.from({ length: 300 }, (_, at) => at)

function pathOf(at: number): string {
  return `src/part${at % 7}/file${at}.ts`
}

function contentOf(at: number): string {
  const name = at % 3 === 0 ? 'oldName' : 'otherName'
  return `// file ${at}\nexport const value = ${name}(${at})\n\n\n\n\nuse(${name})\n\n\n\n\n// last line\n`
}

async function fileOf({ root }: TestRepository, at: number): Promise<string> {
  return readFile(join(root, pathOf(at)), 'utf8')
}

async function atLargeRepository(): Promise<{ agents: Agents; repository: TestRepository }> {
  const files = Object.fromEntries(numbers.map(at => [pathOf(at), contentOf(at)]))
  const repository = await makeRepository({ files })
  return { agents: { dataDir: join(await temporaryFolder(), 'data'), cwd: repository.root }, repository }
}
