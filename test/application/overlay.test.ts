import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { overlayIsPossible } from '../support/overlay.ts'
import { startBench, whereabouts } from '../support/purpose-made.ts'

const WORK = `
recipe:
  execute:
    - decide: {id: word, type: implementation_choice, question: Which word?, choose: x, options: [{id: x, label: X, set: {word: x}}, {id: y, label: Y, set: {word: y}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ vars.word }}\\n"}}
    - decide: {id: how, type: implementation_choice, question: How?, choose: run, options: [{id: run, label: Run}]}
    - tool: {name: builtin/run_command, with: {command: 'cat node_modules/dep.js a.txt > made.txt; rm -r old; mkdir old; echo new > old/new.txt; git status --short > status.txt'}}
    - tool: {name: builtin/move_file, with: {from: b.txt, to: moved/b.txt}}
`

describe.runIf(overlayIsPossible)('a plan in an overlay', () => {
  it('works, is corrected and applied, and the project is untouched until then', async () => {
    const bench = await startBench({
      '.gitignore': 'node_modules\n',
      'a.txt': 'one\n',
      'b.txt': 'two\n',
      'old/gone.txt': 'gone\n',
    })
    const { repository, backend } = bench
    await repository.write({ 'node_modules/dep.js': 'dep\n' })
    const before = await snapshotFolder(repository.root, { except: [] })
    await bench.action('local/work', WORK)

    let plan = await bench.start('local/work', 'auto', {}, 'overlay')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    plan = await bench.correct(plan, 'word', 'word=y')
    expect(await snapshotFolder(repository.root, { except: [] })).toEqual(before)
    const { files } = await backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    plan = await bench.approve(plan)

    expect(files.map(file => `${file.status} ${file.path}`)).toEqual([
      'modified a.txt',
      'added made.txt',
      'renamed moved/b.txt',
      'deleted old/gone.txt',
      'added old/new.txt',
      'added status.txt',
    ])
    expect(plan.state).toBe('applied')
    expect(await bench.read('made.txt')).toBe('dep\ny\n')
    expect(await bench.read('status.txt')).toContain(' M a.txt')
    expect(await readdir(join(repository.root, 'old'))).toEqual(['new.txt'])
    expect(await readFile(join(repository.root, 'node_modules/dep.js'), 'utf8')).toBe('dep\n')
  })
})
