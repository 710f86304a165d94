/** Builds the adapters of a backend and hands them to the use cases. Knows everything; decides nothing. */
import { createHash } from 'node:crypto'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import type { Backend } from './application/backend.ts'
import { buildBackend } from './application/build-backend.ts'
import type { Tools } from './application/ports/tool.ts'
import type { Ports } from './application/ports.ts'
import { type Result, refuse } from './domain/failure.ts'
import { bytesOfRelPath } from './domain/sandbox/rel-path.ts'
import { openActionLibrary } from './infrastructure/actions/index.ts'
import { createCel } from './infrastructure/actors/cel.ts'
import { createActors } from './infrastructure/actors/index.ts'
import { openSettings } from './infrastructure/config/load.ts'
import { type ConfinementSettings, confinementNotice } from './infrastructure/confinement/confine.ts'
import { type ConfinementProbe, probeConfinement } from './infrastructure/confinement/probe-confinement.ts'
import { readPlaces } from './infrastructure/confinement/read-places.ts'
import { createResourceInspector } from './infrastructure/databases/inspector.ts'
import { createDiagnostics } from './infrastructure/diagnostics/index.ts'
import { compileGlob } from './infrastructure/files/glob.ts'
import { makeFolders } from './infrastructure/files/make-folders.ts'
import { createGit } from './infrastructure/git/git.ts'
import { createModels } from './infrastructure/models/index.ts'
import { parseProfile } from './infrastructure/profiles/parse-profile.ts'
import { discoverChecks } from './infrastructure/project/discover-checks.ts'
import { createInspector } from './infrastructure/project/inspector.ts'
import { reasonNotRunnable } from './infrastructure/project/not-runnable.ts'
import type { BringLimits } from './infrastructure/sandboxes/bring-limits.ts'
import { createSandboxes } from './infrastructure/sandboxes/index.ts'
import { openStore } from './infrastructure/sqlite/store.ts'
import { systemClock } from './infrastructure/system/clock.ts'
import { configFile, dataDir } from './infrastructure/system/data-dir.ts'
import { createHost } from './infrastructure/system/host.ts'
import { createIdSource } from './infrastructure/system/ids.ts'
import { createOutputs } from './infrastructure/system/outputs.ts'
import type { ProcessUser } from './infrastructure/system/run-process.ts'
import { builtinTools } from './infrastructure/tools/index.ts'
import type { CommandSurroundings } from './infrastructure/tools/run-command.ts'
import { parseValidation, transformOutput } from './infrastructure/validations/parse-validation.ts'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly pid: number
  readonly nodeVersion: string
  /** From the command line; null = the platform's own place. */
  readonly dataDir: string | null
  readonly configFile: string | null
  /** Settings given on the command line, by key. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly openLog: (dataDir: string) => Log
}

export type Log = Ports['log']

export interface Composed {
  readonly backend: Backend
  readonly ports: Ports
}

/** Opens the user's store and builds the backend on it. Refuses a store that is newer, damaged or busy. */
export function composeBackend(surroundings: Surroundings): Result<Composed> {
  const { env, platform } = surroundings
  const home = homedir()
  const folder = resolve(surroundings.dataDir ?? dataDir({ env, platform, home }))
  const made = makeFolder(folder)
  if (!made.ok) return made
  const newId = createIdSource()
  const store = openStore({ dataDir: folder, clock: systemClock, newId })
  if (!store.ok) return store
  const file = surroundings.configFile ?? configFile({ env, platform, home })
  const settings = openSettings({ file, env, flags: surroundings.flags })
  const confinement = confinementFor(settings, { home, own: [folder, settingsPlace(file)] })
  const git = createGit(env)
  const probe = remembered(user => probeConfinement(env['PATH'] ?? '', user))
  const expressions = createCel()
  const models = createModels({ env, settingsFile: file, settings })
  const tools = createTools({
    environment: env,
    keyVariables: () => models.providers().flatMap(({ keyFrom }) => keyFrom ?? []),
    confinement,
    probe,
  })
  const actors = createActors({
    expressions,
    models,
    tools: tools.list(),
    maxMalformed: () => numberAt(settings, 'model.max-malformed-calls', 3),
  })
  const host = createHost({ pid: surroundings.pid, dataDir: folder, environment: env })
  const sandboxes = createSandboxes({
    stateDir: folder,
    environment: env,
    host,
    bigFileBytes: bigFileBytes(settings),
    bringLimits: bringLimits(settings),
  })
  const ports: Ports = {
    store: store.value,
    clock: systemClock,
    random: Math.random,
    newId,
    sandboxes,
    tools,
    actors,
    models,
    actions: openActionLibrary({ tools: tools.list(), expressions }, actors),
    profiles: { parse: parseProfile },
    validations: {
      parse: (text, file) => parseValidation(text, file, { tools: tools.list(), expressions }),
      transform: (transform, output) => transformOutput(expressions, transform, output),
    },
    inspector: createInspector({
      git,
      temporaryFolder: tmpdir(),
      discover: discoverChecks,
      notRunnable: (root, check, project) =>
        reasonNotRunnable(root, check, { path: env['PATH'] ?? '', project }),
    }),
    resourceInspector: createResourceInspector(),
    settings,
    host,
    diagnostics: createDiagnostics({
      dataDir: folder,
      environment: env,
      path: env['PATH'] ?? '',
      sandboxes,
      isKnownPlan: planId => store.value.plans.find(planId) !== null,
      nodeVersion: surroundings.nodeVersion,
      git,
      settings,
      models,
      confinement,
      probe: () => probe(null),
    }),
    outputs: createOutputs(folder),
    confinement: async () => {
      const found = await probe(null)
      const isSwitchedOff = confinement.mode === 'off'
      const kind = found.ok && !isSwitchedOff ? 'bubblewrap' : 'none'
      return { kind, notice: confinementNotice(confinement.mode, found), isSwitchedOff }
    },
    matchesGlob: createGlobMatcher(),
    shell: async () => (await import('./infrastructure/shell/parse-command.ts')).parseCommand,
    digest: text => createHash('sha256').update(text).digest('hex'),
    log: surroundings.openLog(folder),
  }
  return { ok: true, value: { backend: buildBackend(ports), ports } }
}

/** Each pattern is compiled once. */
function createGlobMatcher(): Ports['matchesGlob'] {
  const compiled = new Map<string, ReturnType<typeof compileGlob>>()
  return (glob, path) => {
    const pattern = compiled.get(glob) ?? compileGlob(glob)
    compiled.set(glob, pattern)
    return pattern.ok && pattern.value(bytesOfRelPath(path))
  }
}

function makeFolder(folder: string): Result<void> {
  try {
    makeFolders(folder)
    return { ok: true, value: undefined }
  } catch (error) {
    return refuse(
      'invalid_input',
      `The data folder ${folder} cannot be made: ${String(error)}. Choose another with --data-dir.`,
      { folder },
    )
  }
}

function confinementFor(
  settings: Ports['settings'],
  places: Pick<ConfinementSettings, 'home' | 'own'>,
): ConfinementSettings {
  const mode = settings.get('sandbox.confinement', null)
  // A setting that cannot be understood may have asked for the most; it is never taken for less.
  const value = mode.ok ? mode.value.value : 'required'
  const visible = settings.get('sandbox.home-visible', null)
  return {
    ...places,
    mode: value === 'required' || value === 'off' ? value : 'preferred',
    homeVisible: visible.ok ? readPlaces(String(visible.value.value), places.home) : [],
  }
}

/** The folder of the settings where it is ours alone, else the file. */
function settingsPlace(file: string): string {
  const folder = dirname(resolve(file))
  return basename(folder) === 'cleveragents' ? folder : resolve(file)
}

/** Read when a sandbox is made. A value that cannot be understood is the default. */
function bigFileBytes(settings: Ports['settings']): () => number {
  return () => {
    return numberAt(settings, 'sandbox.big-file-mb', 100) * 1_000_000
  }
}

function bringLimits(settings: Ports['settings']): () => BringLimits {
  return () => ({
    bytes: numberAt(settings, 'sandbox.bring-along-max-mb', 2_000) * 1_000_000,
    files: numberAt(settings, 'sandbox.bring-along-max-files', 300_000),
  })
}

function numberAt(settings: Ports['settings'], key: string, otherwise: number): number {
  const setting = settings.get(key, null)
  return setting.ok ? Number(setting.value.value) : otherwise
}

function createTools(surroundings: Omit<CommandSurroundings, 'defaultTimeoutSeconds'>): Tools {
  const list = builtinTools({ ...surroundings, defaultTimeoutSeconds: 600 })
  return { list: () => list, find: name => list.find(tool => tool.name === name) ?? null }
}

/** Probing runs a process; the answer holds for as long as this one lives. */
function remembered(probe: (user: ProcessUser | null) => Promise<ConfinementProbe>) {
  const answers = new Map<number, Promise<ConfinementProbe>>()
  return (user: ProcessUser | null) => {
    const key = user?.uid ?? -1
    const answer = answers.get(key) ?? probe(user)
    answers.set(key, answer)
    return answer
  }
}
