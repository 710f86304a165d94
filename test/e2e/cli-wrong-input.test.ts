import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentsHere } from '../support/agents-here.ts'
import { makeRepository } from '../support/repository.ts'
import { type AgentsRun, agentsIn } from '../support/run-agents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Wrong {
  readonly typed: string
  readonly code: number
  readonly says: string
}

const wrong: readonly Wrong[] = [
  { typed: 'plan use builtin/replace-txt', code: 4, says: 'builtin/replace-text' },
  { typed: 'plan use builtin/replace-text', code: 2, says: 'find' },
  { typed: 'plan use builtin/replace-text --arg fnd=x --arg replace=y', code: 2, says: 'fnd' },
  {
    typed: 'plan use builtin/replace-text --arg find=x --arg replace=y --arg regex=maybe',
    code: 2,
    says: 'regex',
  },
  {
    typed: 'plan use builtin/replace-text --arg find=x --arg replace=y --automation-profile cautios',
    code: 4,
    says: 'cautious',
  },
  { typed: 'plan use builtin/replace-text ./nowhere --arg find=x --arg replace=y', code: 4, says: 'nowhere' },
  { typed: 'plan execute nothing', code: 4, says: 'nothing' },
  { typed: 'plan apply nothing', code: 4, says: 'nothing' },
  { typed: 'plan pause nothing', code: 4, says: 'nothing' },
  { typed: 'plan resume nothing', code: 4, says: 'nothing' },
  { typed: 'plan cancel nothing', code: 4, says: 'nothing' },
  { typed: 'plan prompt nothing guidance', code: 4, says: 'nothing' },
  { typed: 'plan status nothing', code: 4, says: 'nothing' },
  { typed: 'plan approve nothing', code: 4, says: 'nothing' },
  { typed: 'plan reject nothing', code: 4, says: 'nothing' },
  { typed: 'plan request-changes nothing --guidance x', code: 4, says: 'nothing' },
  { typed: 'plan tree nothing', code: 4, says: 'nothing' },
  { typed: 'plan explain nothing', code: 4, says: 'nothing' },
  { typed: 'plan explain #3', code: 2, says: '#3' },
  { typed: 'plan diff nothing', code: 4, says: 'nothing' },
  { typed: 'plan correct nothing --mode revert --guidance x --yes', code: 4, says: 'nothing' },
  { typed: 'plan rollback nothing --yes', code: 4, says: 'nothing' },
  { typed: 'plan rollback nothing', code: 4, says: 'nothing' },
  { typed: 'plan checkpoint list nothing', code: 4, says: 'nothing' },
  { typed: 'plan artifacts nothing', code: 4, says: 'nothing' },
  { typed: 'plan events nothing', code: 4, says: 'nothing' },
  { typed: 'plan profile show nothing', code: 4, says: 'nothing' },
  { typed: 'plan list --state waiting', code: 2, says: 'awaiting_input' },
  { typed: 'plan list --limit 0', code: 2, says: 'limit' },
  { typed: 'gate list --plan nothing', code: 4, says: 'nothing' },
  { typed: 'grant list --plan nothing', code: 4, says: 'nothing' },
  { typed: 'grant revoke nothing', code: 4, says: 'nothing' },
  { typed: 'action show builtin/replace-txt', code: 4, says: 'builtin/replace-text' },
  { typed: 'action archive nothing', code: 4, says: 'nothing' },
  { typed: 'action create --config nowhere.yaml', code: 4, says: 'nowhere.yaml' },
  { typed: 'automation-profile show cautios', code: 4, says: 'cautious' },
  { typed: 'project show nothing', code: 4, says: 'nothing' },
  { typed: 'project trust nothing', code: 4, says: 'nothing' },
  { typed: 'project untrust nothing', code: 4, says: 'nothing' },
  { typed: 'project create ./nowhere', code: 4, says: 'nowhere' },
  { typed: 'tool show builtin/nothing', code: 4, says: 'nothing' },
  { typed: 'config get core.formt', code: 4, says: 'core.format' },
  { typed: 'config set core.format xml', code: 2, says: 'xml' },
  { typed: 'call _cleveragents/plan/statos {}', code: 2, says: '_cleveragents/plan/status' },
  { typed: 'call _cleveragents/plan/status {}', code: 2, says: 'plan_id' },
  { typed: 'call _cleveragents/skill/list {}', code: 1, says: 'not available' },
  { typed: 'serve', code: 2, says: '--stdio' },
  { typed: 'ui', code: 2, says: 'terminal' },
]

const isLong = process.env['LONG'] === '1'
/** The built program must do the same as its parts do here; one command of each exit code shows it. */
const started = isLong
  ? wrong
  : wrong.filter(({ code }, at) => at === wrong.findIndex(each => each.code === code))

describe('wrong input', () => {
  it('is answered by every command with what was wrong and the exit code of its kind', async () => {
    const repository = await makeRepository()
    expect(await wronglyAnswered(await agentsHere(repository.root), wrong)).toEqual([])
  })

  it('is answered in the same way by the built program', { timeout: 240_000 }, async () => {
    const repository = await makeRepository()
    expect(await wronglyAnswered(await agentsIn(repository.root), started)).toEqual([])
  })

  it('of an action names file, line and column', async () => {
    const repository = await makeRepository({ files: { 'bad.yaml': 'name: local/bad\ndescription: [\n' } })
    const agents = await agentsIn(repository.root)
    const run = await agents.run('action', 'create', '--config', 'bad.yaml')
    expect(run.code).toBe(2)
    expect(run.err).toMatch(/bad\.yaml:\d+/)
  })

  it('of a sandbox that cannot be had names the next best', async () => {
    const folder = join(await temporaryFolder(), 'plain')
    await mkdir(folder)
    await writeFile(join(folder, 'a.txt'), 'colour\n')
    const agents = await agentsIn(folder)
    const typed = 'plan use builtin/replace-text --arg find=colour --arg replace=x --sandbox git_worktree'
    const run = await agents.run(...typed.split(' '))
    expect(run.code).toBe(1)
    expect(run.err).toContain('filesystem_copy')
  })
})

async function wronglyAnswered(
  agents: { run(...args: string[]): Promise<AgentsRun> },
  inputs: readonly Wrong[],
): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { typed, code, says } of inputs) {
    const run = await agents.run(...typed.split(' '))
    const isSaid = run.err.includes(says) && run.out === ''
    if (run.code !== code || !isSaid) found.push({ typed, says, ...run })
  }
  return found
}
