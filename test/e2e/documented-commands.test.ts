import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeGuideWorld, type Ran } from '../support/guide-world.ts'
import { type Fence, fencesIn, readGuide } from '../support/markdown.ts'

// The commands of these are those of stories, in other words.
const forLongRuns = ['child-plans', 'correcting', 'json', 'limits', 'profiles', 'recipes'].map(
  name => `docs/${name}.md`,
)

// What differs as a process of its own, its start and its end, has stories of its own.
const isLong = process.env['LONG'] === '1'

const guides = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md').sort()]
  .filter(file => globSync(file).length > 0)
  .map(file => ({ file, fences: fencesIn(readGuide(file)) }))
  .filter(({ file, fences }) => fences.some(isRun) && (isLong || !forLongRuns.includes(file)))

test.each(guides)('the commands of $file do what it says', { timeout: 300_000 }, async ({ fences }) => {
  const world = await makeGuideWorld(isLong ? 'as processes' : 'here')
  let printed = ''
  for (const fence of fences) {
    const file = fence.words.get('file')
    if (file !== undefined) await world.write({ [file]: fence.text })
    if (isRun(fence)) printed = await runAll(fence, world.run)
    if (fence.words.has('shows')) expectShown(fence, printed)
  }
})

function isRun(fence: Fence): boolean {
  return fence.language === 'sh' && !fence.words.has('skip')
}

async function runAll(fence: Fence, run: (line: string) => Promise<Ran>): Promise<string> {
  const exitCode = Number(fence.words.get('exit') ?? 0)
  const outputs: string[] = []
  for (const command of commandsIn(fence)) {
    const ran = await run(command)
    expect({ command, ...ran }).toEqual({ command, exitCode, output: ran.output })
    outputs.push(ran.output)
  }
  return outputs.join('')
}

/** A backslash at the end of a line goes on with the next one. */
function commandsIn(fence: Fence): string[] {
  const lines = fence.text.replaceAll('\\\n', '').split('\n')
  return lines.filter(line => line.trim() !== '' && !line.startsWith('#'))
}

function expectShown(fence: Fence, printed: string): void {
  const lines = printed.split('\n').map(line => line.trimEnd())
  for (const line of fence.text.split('\n').filter(line => line.trim() !== '' && line.trim() !== '…'))
    expect(lines).toContain(line)
}
