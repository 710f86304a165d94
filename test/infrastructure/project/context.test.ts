import { describe, expect, it } from 'vitest'
import { estimatedTokens } from '../../../src/domain/model/usage.ts'
import { declarationsIn } from '../../../src/infrastructure/project/context/declarations.ts'
import { gatherContext } from '../../../src/infrastructure/project/context/gather-context.ts'
import { makePlainFolder } from '../../support/repository.ts'

describe('what a model is told of a project', () => {
  it('has its instructions once, its folders, and its files with what they declare', async () => {
    const root = await makePlainFolder({
      'AGENTS.md': '# How we work\nNo tabs.\u202e\n',
      'CLAUDE.md': '# How we work\nNo tabs.\u202e\n',
      'GEMINI.md': { link: 'AGENTS.md' },
      'src/server/AGENTS.md': 'Only here.\n',
      'src/server/listen.ts': 'export async function listen() {}\nclass Queue {}\n',
      'src/main.py': 'def main():\n    pass\n',
      'test/listen.test.ts': 'const server = 1\n',
      'package-lock.json': '{}\n',
      'secret.env': 'KEY=1\n',
      '.gitignore': 'secret.env\n',
    })

    expect(await gatherContext(root, 2_000)).toEqual({
      instructions: [{ path: 'AGENTS.md', text: '# How we work\nNo tabs.<U+202E>' }],
      map: [
        'Instructions for single folders: src/server/AGENTS.md',
        '9 files in 3 folders',
        'src/ 3',
        'test/ 1',
        'src/server/ 2',
        '.gitignore',
        'AGENTS.md: How we work',
        'CLAUDE.md: How we work',
        'GEMINI.md',
        'src/main.py: main',
        'src/server/AGENTS.md',
        'src/server/listen.ts: listen, Queue',
        'test/listen.test.ts: server',
        'package-lock.json',
      ].join('\n'),
    })
  })

  it('keeps to its budget and says what it left out', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `src/part-${index}/file.ts`,
        `export const part${index} = 1\n`,
      ]),
    )
    const root = await makePlainFolder({ 'AGENTS.md': 'word '.repeat(4_000), ...many })
    const { instructions, map } = await gatherContext(root, 800)

    const said = [...instructions.map(({ text }) => text), map].join('\n')
    expect(estimatedTokens(said)).toBeLessThan(850)
    expect(instructions[0]?.text).toMatch(/\[cut here; the file has 19999 characters\]$/)
    expect(map).toMatch(/\nand \d+ more files$/)
  })
})

describe('declarations', () => {
  it.each([
    ['a.go', 'func (s *Server) Listen() {\ntype Queue struct {', ['Listen', 'Queue']],
    ['a.rs', 'pub(crate) async fn run() {\nimpl X {\npub struct Y;', ['run', 'Y']],
    ['A.java', 'public final class A {\n  private interface B {', ['A', 'B']],
    ['a.c', 'static int add(int a, int b) {\nint x;\nstruct point {', ['add', 'point']],
    ['a.rb', 'class Shop\n  def buy!', ['Shop', 'buy!']],
    ['a.sql', 'CREATE TABLE IF NOT EXISTS users (', ['users']],
    ['a.unknown', 'function x() {}', []],
    ['a.ts', `const x = ${'1'.repeat(10_000)}`, []],
  ])('of %s are read line by line', (path, text, names) => {
    expect(declarationsIn(path, text)).toEqual(names)
  })
})
