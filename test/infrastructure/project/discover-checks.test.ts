import { describe, expect, it } from 'vitest'
import { discoverChecks } from '../../../src/infrastructure/project/discover-checks.ts'
import { reasonNotRunnable } from '../../../src/infrastructure/project/not-runnable.ts'
import { type FileTree, writeFiles } from '../../support/repository.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function project(files: FileTree): Promise<string> {
  const root = await temporaryFolder()
  await writeFiles(root, files)
  return root
}

const scripts = (given: Record<string, string>, more = {}) => JSON.stringify({ scripts: given, ...more })

describe('discoverChecks', () => {
  it.each<[string, FileTree, string[], string[]]>([
    ['nothing', { 'readme.md': '' }, [], []],
    [
      'npm scripts',
      {
        'package.json': scripts({
          test: 'vitest run',
          lint: 'biome check',
          typecheck: 'tsc',
          build: 'x',
          dev: 'y',
        }),
      },
      ['javascript'],
      ['test: npm test', 'lint: npm run lint', 'types: npm run typecheck', 'build: npm run build'],
    ],
    [
      "npm's placeholder",
      { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
      ['javascript'],
      [],
    ],
    [
      'pnpm by its lock file',
      { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '', 'tsconfig.json': '{}' },
      ['typescript'],
      ['test: pnpm test'],
    ],
    [
      'yarn by its own word',
      { 'package.json': scripts({ lint: 'x' }, { packageManager: 'yarn@4.0.0' }) },
      ['javascript'],
      ['lint: yarn run lint'],
    ],
    ['a broken package.json', { 'package.json': '{"scripts": ' }, ['javascript'], []],
    ['odd scripts', { 'package.json': '{"scripts": [1], "dependencies": 3}' }, ['javascript'], []],
    [
      'a Makefile for what no manifest has',
      {
        'package.json': scripts({ test: 'x' }),
        Makefile: '.PHONY: test lint\nCC := gcc\ntest: all\n\tnpm test\nlint check: ; echo\nbuild ::= x\n',
      },
      ['javascript'],
      ['test: npm test', 'lint: make lint', 'lint: make check'],
    ],
    [
      'Rust and Go side by side',
      { 'Cargo.toml': '[package]', 'go.mod': 'module x' },
      ['rust', 'go'],
      [
        ...['test: cargo test', 'types: cargo check', 'build: cargo build'],
        ...['test: go test ./...', 'lint: go vet ./...', 'build: go build ./...'],
      ],
    ],
    [
      'Python tools by their sections',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n' },
      ['python'],
      ['test: python -m pytest', 'lint: ruff check .', 'types: mypy .'],
    ],
    ['tox', { 'tox.ini': '[tox]' }, ['python'], ['test: tox']],
    [
      'composer',
      { 'composer.json': '{"scripts": {"test": ["a", "b"]}}' },
      ['php'],
      ['test: composer run-script test'],
    ],
    [
      'gradle with its wrapper',
      { 'build.gradle.kts': '', gradlew: '' },
      ['kotlin'],
      ['test: ./gradlew test'],
    ],
  ])('finds %s', async (_, files, languages, expected) => {
    const found = await discoverChecks(await project(files))
    expect(found.languages).toEqual(languages)
    expect(found.checks.map(check => `${check.kind}: ${check.command}`)).toEqual(expected)
  })

  it('gives every check a name of its own', async () => {
    const { checks } = await discoverChecks(await project({ 'Cargo.toml': '', 'go.mod': '' }))
    const names = checks.map(check => check.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('test (cargo)')
  })

  it('runs nothing of the project', async () => {
    const root = await project({
      Makefile: 'X := $(shell touch ran)\ntest:\n',
      'package.json': scripts({ test: 'touch ran' }),
    })
    await discoverChecks(root)
    expect((await discoverChecks(root)).checks).toHaveLength(1)
    await expect(import('node:fs/promises').then(fs => fs.access(`${root}/ran`))).rejects.toThrow('ENOENT')
  })
})

describe('reasonNotRunnable', () => {
  const bin: FileTree = { 'bin/npm': { executable: '' }, 'bin/composer': { executable: '' } }
  const needs = JSON.stringify({ devDependencies: { vitest: '1' } })

  it.each<[string, FileTree, string, string | null]>([
    ['dependencies are missing', { 'package.json': needs }, 'npm test', 'there is no node_modules folder'],
    [
      'a lock file says what to install',
      { 'package.json': needs, 'package-lock.json': '{}' },
      'npm test',
      'agents project set-up local/shop --command "npm ci"',
    ],
    ['dependencies are there', { 'package.json': needs, 'node_modules/x': '' }, 'npm test', null],
    ['there are none to install', { 'package.json': '{}' }, 'npm test', null],
    ['the program is missing', {}, 'cargo test', 'cargo is not on the PATH'],
    ['the wrapper is missing', {}, './gradlew test', 'no program ./gradlew here'],
    ['the wrapper is there', { gradlew: { executable: '' } }, './gradlew test', null],
    ['the shell decides', {}, 'cd sub && make', null],
    ['a variable stands first', {}, 'A=1 make', null],
    [
      'vendor is missing',
      { 'composer.json': '{"require-dev": {"phpunit/phpunit": "1"}}' },
      'composer run-script test',
      'no vendor folder. To install what is missing in every new sandbox: agents project set-up local/shop --command "composer install"',
    ],
  ])('answers when %s', async (_, files, command, reason) => {
    const root = await project({ ...bin, ...files })
    const check = { name: 'test', command, kind: 'test' } as const
    const found = await reasonNotRunnable(root, check, { path: `${root}/bin`, project: 'local/shop' })
    if (reason === null) expect(found).toBeNull()
    else expect(found).toContain(reason)
  })
})
