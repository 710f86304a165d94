import { type Result, refuse } from './failure.ts'

/** `[[server:]namespace/]name`; a bare name belongs to `local/`. */
export function parseName(text: string, what: string): Result<string> {
  const match = NAME.exec(text.trim())
  if (!match)
    return refuse('invalid_input', `${JSON.stringify(text)} is not ${what} name: ${FORM}`, { name: text })
  const { server, namespace = 'local', name = '' } = match.groups ?? {}
  return { ok: true, value: `${server ? `${server}:` : ''}${namespace}/${name}` }
}

/** What a name in a reference can mean, in order: `local/` and `builtin/` may be left out. */
export function spellingsOf(reference: string): string[] {
  return [reference, `local/${reference}`, `builtin/${reference}`]
}

const FORM = 'write [[server:]namespace/]name with letters, digits, dots, dashes and underscores.'

const PART = '[A-Za-z0-9][A-Za-z0-9._-]*'
const NAME = new RegExp(`^(?:(?:(?<server>${PART}):)?(?<namespace>${PART})/)?(?<name>${PART})$`)
