/** The main job from a script: what is changed, what the exit codes say, and what is left alone. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, runAgents } from '../support/agents.ts'
import { makeRepository, type TestRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const replace = ['plan', 'use', 'builtin/replace-text', '--arg', 'find=oldName', '--arg', 'replace=newName']

test('with profile ci exactly the right files of sixty change, and a dirty edit stays as it is', async () => {
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

test('with profile supervised it stops with 3 at every question until it is approved, and a dirty edit survives', async () => {
  const { root, git, write } = await makeRepository({
    files: { 'a.txt': 'oldName\n\n\n\n\nend\n', 'b.txt': 'b\n' },
  })
  await write({ 'a.txt': 'oldName\n\n\n\n\nmy own end\n' })
  const agents = { dataDir: join(await temporaryFolder(), 'data'), cwd: root }
  const first = await runAgents(agents, ...replace, '--automation-profile', 'supervised')
  expect(first.code).toBe(3)
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toContain('oldName')
  const command = /agents (plan approve .*)/.exec(first.out)?.[1] ?? ''

  const codes = [(await runAgents(agents, ...command.split(' '))).code]
  while (codes.length < 12 && codes.at(-1) === 3) {
    const answered = await runAgents(agents, '--format', 'json', 'plan', 'approve', '@latest')
    expect(JSON.parse(answered.out).exit_code).toBe(answered.code)
    codes.push(answered.code)
  }
  expect(codes.length).toBeGreaterThan(1)
  expect(codes.at(-1)).toBe(0)
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('newName\n\n\n\n\nmy own end\n')
  expect(await git('status', '--porcelain')).toBe(' M a.txt\n')
})

const numbers = Array.from({ length: 60 }, (_, at) => at)

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
