import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ModelProvider } from '../../application/ports/model.ts'
import { readSettingsFile } from '../config/settings-file.ts'
import { type KnownProvider, knownProviders } from './known-providers.ts'
import { type KeySource, placeOfKey, readKey } from './provider-key.ts'
import { type ProviderSection, readProviderSection } from './provider-section.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ProviderSurroundings {
  readonly env: Environment
  readonly settingsFile: string
}

export interface Provider extends ModelProvider {
  readonly keySource: KeySource
  /** How an OpenAI endpoint is spoken to. */
  readonly api: 'responses' | 'chat'
  /** It is the provider's own server, whose prices are known. */
  readonly isOwnEndpoint: boolean
  readonly models: NonNullable<ProviderSection['models']>
}

export interface Providers {
  readonly list: readonly Provider[]
  /** What is wrong with the section of the settings file; what is right in it holds all the same. */
  readonly problems: readonly string[]
}

/** Read anew each time: keys and settings change while a backend runs. */
export function readProviders({ env, settingsFile }: ProviderSurroundings): Providers {
  const file = readSettingsFile(settingsFile)
  const { providers: sections, problems } = readProviderSection(file.ok ? file.value['providers'] : {})
  const names = new Set([...Object.keys(knownProviders), ...Object.keys(sections)])
  return {
    list: [...names].map(name => asProvider(name, sections[name] ?? null, env)),
    problems: problems.map(problem => `${problem} It stands in ${settingsFile}.`),
  }
}

function asProvider(name: string, section: ProviderSection | null, env: Environment): Provider {
  const known = Object.hasOwn(knownProviders, name) ? (knownProviders[name] ?? null) : null
  const kind = section?.kind ?? known?.kind ?? 'openai_compatible'
  const moved = section?.['base-url'] ?? endpointFrom(known, env)
  const given = withVersion(kind, moved ?? known?.endpoint ?? '')
  const endpoint = withoutPassword(given)
  const isOwnEndpoint = known !== null && endpoint === known.endpoint
  const keySource = keySourceOf(section, known, env)
  const hasKey = keySource.kind === 'variable' && Boolean(env[keySource.name])
  return {
    name,
    label: known?.label ?? name,
    kind,
    endpoint,
    keyFrom: placeOfKey(keySource),
    keySource,
    // Servers that only speak like OpenAI seldom know its newer way.
    api: section?.api ?? (kind === 'openai' && isOwnEndpoint ? 'responses' : 'chat'),
    isOwnEndpoint,
    // What a provider has is not what is served under another address.
    defaultModel: section?.['default-model'] ?? (isOwnEndpoint ? known.defaultModel : null),
    models: section?.models ?? {},
    isConfigured: section !== null || moved !== null || hasKey,
    problem: problemOf({
      name,
      endpoint,
      hasPassword: endpoint !== given,
      keySource,
      known,
      isConfigured: section !== null || moved !== null,
      env,
    }),
  }
}

function endpointFrom(known: KnownProvider | null, env: Environment): string | null {
  const given = known ? env[known.endpointVariable]?.trim() : undefined
  if (!given) return null
  return known?.endpointVariable === 'OLLAMA_HOST' ? ollamaUrl(given) : given
}

/** `OLLAMA_HOST` is also where Ollama listens: `0.0.0.0`, `:11434`, a host, or a whole address. */
function ollamaUrl(given: string): string {
  const [, scheme = 'http', rest = ''] = given.match(/^(?:(https?):\/\/)?(.*?)\/*$/) ?? []
  const host = rest.replace(/^(?:0\.0\.0\.0)?(?=:|$)/, '127.0.0.1')
  const withPort = /:\d+$|\//.test(host) || scheme === 'https' ? host : `${host}:11434`
  return `${scheme}://${withPort}/v1`
}

/** Other programs are told Anthropic's address without the version. */
function withVersion(kind: Provider['kind'], endpoint: string): string {
  const bare = endpoint.replace(/\/+$/, '')
  return kind === 'anthropic' && bare !== '' && !/\/v\d+$/.test(bare) ? `${bare}/v1` : bare
}

/** An address is shown, and stands in failures; no request can be sent to one with a name and a password in it. */
function withoutPassword(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || (url.username === '' && url.password === '')) return endpoint
  return endpoint.replace(/^([a-z]+:\/*)[^/?#]*@/i, '$1')
}

function keySourceOf(
  section: ProviderSection | null,
  known: KnownProvider | null,
  env: Environment,
): KeySource {
  if (section?.['key-file'] !== undefined) return { kind: 'file', path: fromHome(section['key-file']) }
  if (section?.['key-env'] !== undefined) return { kind: 'variable', name: section['key-env'] }
  const variables = known?.keyVariables ?? []
  const name = variables.find(each => env[each]) ?? variables[0]
  return name === undefined ? { kind: 'none' } : { kind: 'variable', name }
}

function fromHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

interface Checked {
  readonly name: string
  readonly endpoint: string
  /** The address was given with a password, which the endpoint is without. */
  readonly hasPassword: boolean
  readonly keySource: KeySource
  readonly known: KnownProvider | null
  readonly isConfigured: boolean
  readonly env: Environment
}

function problemOf({
  name,
  endpoint,
  hasPassword,
  keySource,
  known,
  isConfigured,
  env,
}: Checked): string | null {
  if (hasPassword)
    return `The address ${endpoint} was given with a name and a password in it. Take them out, and name the key with key-env or key-file in the settings file.`
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint)) {
    if (endpoint === '') return `${name} has no base-url in the settings file.`
    return `${endpoint} is no address of a server${known ? ` (see ${known.endpointVariable})` : ''}.`
  }
  if (keySource.kind === 'none')
    return known === null || isConfigured
      ? null
      : `${known.endpointVariable} is not set. To use ${known.label} on this machine: export ${known.endpointVariable}=127.0.0.1:11434`
  if (keySource.kind === 'variable' && !env[keySource.name])
    return `${keySource.name} is not set. To use ${known?.label ?? name}: export ${keySource.name}=...`
  const reading = readKey(keySource, env)
  return reading.ok ? null : `${known?.label ?? name} cannot be used: ${reading.problem}`
}
