/** Service parameters of A2A where a transport has no headers: `params.metadata["a2a-service-parameters"]`. */

export type Generation = '0.3' | '1.0'
export const SUPPORTED_VERSIONS: readonly Generation[] = ['1.0', '0.3']

export interface ServiceParameters {
  /** As named by the caller for this one request; null when it named none. */
  readonly version: string | null
  readonly extensions: readonly string[]
  /** The params without them: the agent never sees them. */
  readonly params: Readonly<Record<string, unknown>>
}

export function takeServiceParameters(params: Readonly<Record<string, unknown>>): ServiceParameters {
  const metadata = params['metadata']
  if (!isRecord(metadata) || !isRecord(metadata[KEY])) return { version: null, extensions: [], params }
  const { [KEY]: given, ...rest } = metadata
  const byName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const extensions = byName.get('a2a-extensions') ?? byName.get('x-a2a-extensions') ?? ''
  return {
    version: byName.get('a2a-version') ?? null,
    extensions: extensions
      .split(',')
      .map(each => each.trim())
      .filter(each => each !== ''),
    params: { ...params, metadata: rest },
  }
}

/** Absent means 0.3; digits after the minor version do not matter. Null for what is not spoken here. */
export function generationOf(version: string): Generation | null {
  if (version.trim() === '') return '0.3'
  const found = /^(0\.3|1\.0)(?:\.\d+)?$/.exec(version.trim())?.[1]
  return SUPPORTED_VERSIONS.find(each => each === found) ?? null
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const KEY = 'a2a-service-parameters'
