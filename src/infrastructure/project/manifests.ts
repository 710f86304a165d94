import type { ProjectCheck } from '../../domain/actor/actor.ts'
import { packageChecks, readPackage } from './package-manifest.ts'
import type { ProjectFiles } from './project-files.ts'

/** What one kind of manifest says about a project. */
export interface Manifest {
  applies(files: ProjectFiles): boolean
  language(files: ProjectFiles): string
  checks(files: ProjectFiles): readonly ProjectCheck[]
}

export const manifests: readonly Manifest[] = [
  {
    applies: ({ names }) => names.has('package.json'),
    language: isTypeScript,
    checks: packageChecks,
  },
  {
    applies: ({ names }) => names.has('deno.json') || names.has('deno.jsonc'),
    language: () => 'typescript',
    checks: () => [check('test', 'deno test'), check('lint', 'deno lint')],
  },
  {
    applies: ({ names }) => names.has('Cargo.toml'),
    language: () => 'rust',
    checks: () => [check('test', 'cargo test'), check('types', 'cargo check'), check('build', 'cargo build')],
  },
  {
    applies: ({ names }) => names.has('go.mod'),
    language: () => 'go',
    checks: () => [
      check('test', 'go test ./...'),
      check('lint', 'go vet ./...'),
      check('build', 'go build ./...'),
    ],
  },
  {
    applies: ({ names }) =>
      ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'pytest.ini', 'requirements.txt'].some(name =>
        names.has(name),
      ),
    language: () => 'python',
    checks: pythonChecks,
  },
  {
    applies: ({ names }) => names.has('composer.json'),
    language: () => 'php',
    checks: files => {
      const { scripts } = readPackage(files.text('composer.json'))
      return (['test', 'lint'] as const).flatMap(kind =>
        scripts.has(kind) ? [check(kind, `composer run-script ${kind}`)] : [],
      )
    },
  },
  {
    applies: ({ names }) => names.has('Gemfile'),
    language: () => 'ruby',
    checks: ({ names }) => [
      ...(names.has('.rspec') || names.has('spec') ? [check('test', 'bundle exec rspec')] : []),
      ...(names.has('.rubocop.yml') ? [check('lint', 'bundle exec rubocop')] : []),
    ],
  },
  {
    applies: ({ names }) => names.has('pom.xml'),
    language: () => 'java',
    checks: ({ names }) => [check('test', names.has('mvnw') ? './mvnw test' : 'mvn test')],
  },
  {
    applies: ({ names }) => names.has('build.gradle') || names.has('build.gradle.kts'),
    language: ({ names }) => (names.has('build.gradle.kts') ? 'kotlin' : 'java'),
    checks: ({ names }) => [check('test', names.has('gradlew') ? './gradlew test' : 'gradle test')],
  },
]

/** Targets that are named after what they check. */
export function makefileChecks(files: ProjectFiles): readonly ProjectCheck[] {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map(name => files.text(name)).find(Boolean) ?? ''
  const targets = new Set(
    [...text.matchAll(/^([a-z][\w -]*?)\s*:(?![=:])/gm)].flatMap(([, names = '']) => names.split(/\s+/)),
  )
  const kinds = { test: 'test', lint: 'lint', check: 'lint', typecheck: 'types', build: 'build' } as const
  return Object.entries(kinds).flatMap(([target, kind]) =>
    targets.has(target) ? [{ name: target, command: `make ${target}`, kind }] : [],
  )
}

function isTypeScript({ names, text }: ProjectFiles): string {
  const typed = names.has('tsconfig.json') || /"typescript"\s*:/.test(text('package.json') ?? '')
  return typed ? 'typescript' : 'javascript'
}

function pythonChecks({ names, text }: ProjectFiles): readonly ProjectCheck[] {
  const project = text('pyproject.toml') ?? ''
  const setup = text('setup.cfg') ?? ''
  const hasPytest =
    names.has('pytest.ini') ||
    names.has('conftest.py') ||
    /^\[tool\.pytest/m.test(project) ||
    /^\[tool:pytest\]/m.test(setup)
  const hasTox = names.has('tox.ini') || /^\[tool\.tox/m.test(project)
  const hasRuff = names.has('ruff.toml') || names.has('.ruff.toml') || /^\[tool\.ruff/m.test(project)
  const hasMypy = names.has('mypy.ini') || /^\[tool\.mypy/m.test(project) || /^\[mypy\]/m.test(setup)
  return [
    ...(hasPytest ? [check('test', 'python -m pytest')] : hasTox ? [check('test', 'tox')] : []),
    ...(hasRuff ? [check('lint', 'ruff check .')] : []),
    ...(hasMypy ? [check('types', 'mypy .')] : []),
  ]
}

function check(kind: ProjectCheck['kind'], command: string): ProjectCheck {
  return { name: kind, command, kind }
}
