import * as z from 'zod'
import type { ProjectCheck } from '../../domain/actor/actor.ts'
import type { ProjectFiles } from './project-files.ts'

const manifest = z.object({
  scripts: z.record(z.string(), z.unknown()).catch({}).default({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
  require: z.record(z.string(), z.unknown()).catch({}).default({}),
  'require-dev': z.record(z.string(), z.unknown()).catch({}).default({}),
  packageManager: z.string().catch('').default(''),
})

export interface PackageManifest {
  readonly scripts: ReadonlyMap<string, string>
  readonly hasDependencies: boolean
  readonly packageManager: string
}

/** Reads a package.json or composer.json as far as it can be understood; a broken one declares nothing. */
export function readPackage(text: string | null): PackageManifest {
  const parsed = manifest.catch(manifest.parse({})).parse(parseJson(text ?? ''))
  // Composer lists PHP itself and its extensions too; only names with a vendor are packages.
  const required = Object.keys({ ...parsed.require, ...parsed['require-dev'] }).filter(name =>
    name.includes('/'),
  )
  const packages = Object.keys({ ...parsed.dependencies, ...parsed.devDependencies })
  // Composer allows a list of commands for a script.
  const scripts = Object.entries(parsed.scripts).map(
    ([name, script]) => [name, [script].flat().join(' && ')] as const,
  )
  return {
    scripts: new Map(scripts),
    hasDependencies: packages.length + required.length > 0,
    packageManager: parsed.packageManager,
  }
}

export function packageChecks(files: ProjectFiles): readonly ProjectCheck[] {
  const { scripts } = readPackage(files.text('package.json'))
  const run = packageRunner(files)
  return scriptKinds.flatMap(([name, kind]) => {
    const script = scripts.get(name)
    if (!script || /no test specified/.test(script)) return []
    return [{ name, command: name === 'test' ? `${run} test` : `${run} run ${name}`, kind }]
  })
}

const scriptKinds: readonly (readonly [string, ProjectCheck['kind']])[] = [
  ['test', 'test'],
  ['lint', 'lint'],
  ['check', 'lint'],
  ['typecheck', 'types'],
  ['type-check', 'types'],
  ['check-types', 'types'],
  ['types', 'types'],
  ['build', 'build'],
]

/** What runs the scripts of a package.json here. */
export function packageRunner({ names, text }: ProjectFiles): 'npm' | 'pnpm' | 'yarn' | 'bun run' {
  const { packageManager } = readPackage(text('package.json'))
  if (names.has('pnpm-lock.yaml') || packageManager.startsWith('pnpm@')) return 'pnpm'
  if (names.has('yarn.lock') || packageManager.startsWith('yarn@')) return 'yarn'
  // Bun's own `bun test` is another program than the script of that name.
  if (names.has('bun.lock') || names.has('bun.lockb') || packageManager.startsWith('bun@')) return 'bun run'
  return 'npm'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
