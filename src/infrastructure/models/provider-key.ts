import { readFileSync, statSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

/** Where a key comes from. The key itself is read when it is used, and kept nowhere. */
export type KeySource =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'none' }

export type KeyReading =
  | { readonly ok: true; readonly key: string | null }
  | { readonly ok: false; readonly problem: string }

export function readKey(source: KeySource, env: Readonly<Record<string, string | undefined>>): KeyReading {
  switch (source.kind) {
    case 'none':
      return { ok: true, key: null }
    case 'variable':
      return checked(env[source.name] ?? '', `the variable ${source.name}`)
    case 'file':
      return readKeyFile(source.path)
  }
}

export function placeOfKey(source: KeySource): string | null {
  if (source.kind === 'none') return null
  return source.kind === 'variable' ? source.name : source.path
}

/** A key that others on the machine can read is not used: it would be found out only when it is abused. */
function readKeyFile(path: string): KeyReading {
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32')
      return {
        ok: false,
        problem: `others can read the key in ${path} (mode ${(mode & 0o777).toString(8)}). Close it: chmod 600 ${path}`,
      }
    return checked(readFileSync(path, 'utf8'), path)
  } catch (error) {
    const code = errorCode(error)
    if (code === null) throw error
    const reason = code === 'ENOENT' ? 'it is not there' : code
    return { ok: false, problem: `the key in ${path} cannot be read: ${reason}.` }
  }
}

/** Only what can stand in a header: anything else would come back in an error that shows it. */
function checked(text: string, place: string): KeyReading {
  const key = text.trim()
  if (key === '') return { ok: false, problem: `there is no key in ${place}.` }
  if (!/^[\x21-\x7e]+$/.test(key))
    return { ok: false, problem: `what is in ${place} is no key: it holds spaces or special characters.` }
  return { ok: true, key }
}
