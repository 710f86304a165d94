import { packageRunner } from './package-manifest.ts'
import type { ProjectFiles } from './project-files.ts'

/** The command that fills a dependency folder of a project; null where nothing in the project tells. */
export function installCommand(files: ProjectFiles, folder: string): string | null {
  const has = (name: string) => files.names.has(name)
  switch (folder) {
    case 'node_modules':
      return has('package.json') ? nodeCommand(files) : null
    case 'vendor':
      return has('composer.json') ? 'composer install' : has('go.mod') ? 'go mod vendor' : null
    case '.venv':
    case 'venv':
      if (has('uv.lock')) return 'uv sync'
      return has('requirements.txt')
        ? `python3 -m venv ${folder} && ${folder}/bin/pip install -r requirements.txt`
        : null
    case 'target':
      return has('Cargo.toml') ? 'cargo build' : null
    default:
      return null
  }
}

function nodeCommand(files: ProjectFiles): string {
  switch (packageRunner(files)) {
    case 'pnpm':
      return 'pnpm install --frozen-lockfile'
    case 'yarn':
      return 'yarn install'
    case 'bun run':
      return 'bun install'
    default:
      return files.names.has('package-lock.json') ? 'npm ci' : 'npm install'
  }
}

/** What a person types so that every new sandbox gets it. `project` is a name or a folder. */
export function setUpRemedy(project: string, command: string): string {
  const shown = /^[\p{L}\p{N}/._-]+$/u.test(project) ? project : `'${project.replaceAll("'", "'\\''")}'`
  return `To install what is missing in every new sandbox: agents project set-up ${shown} --command "${command}"`
}
