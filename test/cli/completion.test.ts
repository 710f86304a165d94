import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { completionScript } from '../../src/cli/surroundings/completion.ts'
import { runCli } from '../support/cli-driver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.each<[string[], string[]]>([
  [['pl'], ['plan']],
  [
    ['plan', 'che'],
    ['checkpoint', 'check'],
  ],
  [['plan', 'checkpoint', ''], ['list']],
  [['--format', 'json', 'gate', 'l'], ['list']],
  [['plan', 'use', 'a', '--inv'], ['--invariant']],
  [['plan', 'status', 'p', '--data'], ['--data-dir']],
  [['completion', 'z'], ['zsh']],
  [['token', ''], []],
])('bash completes %j with %j', async (typed, expected) => {
  const folder = await temporaryFolder()
  const script = join(folder, 'agents.bash')
  writeFileSync(script, completionScript('bash'))
  const words = ['agents', ...typed].map(word => `'${word}'`).join(' ')
  const lines = `source ${script}; cd ${folder}; COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _agents; printf '%s\\n' "\${COMPREPLY[@]}"`
  const run = spawnSync('bash', ['-c', lines], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  expect(run.stdout.split('\n').filter(word => word !== '' && word !== 'agents.bash')).toEqual(expected)
})

it.each(['bash', 'zsh', 'fish'] as const)('is printed for %s without starting anything', async shell => {
  const run = await runCli(['completion', shell])
  expect({ code: run.code, out: run.out, backends: run.backends }).toEqual({
    code: 0,
    out: completionScript(shell),
    backends: [],
  })
})
