/**
 * Takes secrets out of what leaves the machine. What is found is marked by its kind, and where it was is told, so that
 * a document stays readable and its structure what it was. It looks for forms that nothing but a secret has, and for
 * values under names that hold secrets; ordinary words, digests and ids are left alone.
 */
export interface Redaction {
  /** Where: a JSON pointer into the document. */
  readonly path: string
  readonly kind: string
  /** Where in the text it began, and how long it was, in characters of what was there before. */
  readonly start: number
  readonly length: number
}

export interface Redacted<Value> {
  readonly value: Value
  readonly redactions: readonly Redaction[]
}

/** Of plain JSON. The names of fields stay; only texts change. */
export function redact<Value>(value: Value): Redacted<Value> {
  const redactions: Redaction[] = []
  // Only texts are replaced, by texts: the shape is the one that came in.
  return { value: walk(value, '', null, redactions) as Value, redactions }
}

function walk(value: unknown, path: string, name: string | null, found: Redaction[]): unknown {
  if (typeof value === 'string') return cleanText(value, path, name, found)
  if (Array.isArray(value)) return value.map((item, at) => walk(item, `${path}/${at}`, name, found))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, walk(inner, `${path}/${pointer(key)}`, key, found)]),
  )
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

interface Form {
  readonly kind: string
  /** The group `secret` is replaced; without one, all that matches. */
  readonly pattern: RegExp
}

/** Where a form may begin, and how long its parts are, is bounded: a text of any size is read once. */
const forms: readonly Form[] = [
  {
    kind: 'private-key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { kind: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b/g },
  { kind: 'aws-key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'model-key', pattern: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/g },
  { kind: 'google-key', pattern: /\bAIza[0-9A-Za-z_-]{35}\b/g },
  { kind: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'gitlab-token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  },
  { kind: 'authorization', pattern: /\b(?:bearer|basic) +(?<secret>[A-Za-z0-9+/_.~=-]{16,})/gi },
  { kind: 'url-password', pattern: /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/]*:(?<secret>[^\s:@/]{3,})@/gi },
  {
    kind: 'named-secret',
    pattern:
      /(?<![A-Za-z0-9])(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s*(?:=|:(?!:)\s?)\s*["']?(?![\w.]*\()(?<secret>[^\s"',;&|<>()[\]{}]{8,})/gi,
  },
  // Within a name only where it is text in quotes: code is full of such names.
  {
    kind: 'named-secret',
    pattern:
      /(?<=[a-z0-9])(?:Password|Passwd|Passphrase|Secret|Token|ApiKey|AccessKey|PrivateKey)["']?\s*[=:]\s*["'](?<secret>[^\s"',;&|<>()[\]{}]{8,})/g,
  },
]

const SECRET_NAME =
  /^(?:.*[_-])?(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization)$/i

/** `accessToken` is `access_token`. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))
}

interface Hit {
  readonly kind: string
  readonly start: number
  readonly end: number
}

function cleanText(text: string, path: string, name: string | null, found: Redaction[]): string {
  const whole = name !== null && isSecretName(name) && looksSecret(text)
  const hits = whole
    ? [{ kind: 'named-secret', start: 0, end: text.length }]
    : apart(forms.flatMap(hitsOf(text)))
  let cleaned = ''
  let at = 0
  for (const { kind, start, end } of hits) {
    cleaned += `${text.slice(at, start)}[redacted:${kind}]`
    at = end
    found.push({ path, kind, start, length: end - start })
  }
  return cleaned + text.slice(at)
}

function hitsOf(text: string): (form: Form) => Hit[] {
  return ({ kind, pattern }) =>
    [...text.matchAll(pattern)].flatMap(match => {
      const secret = match.groups?.['secret'] ?? match[0]
      const start = match.index + match[0].lastIndexOf(secret)
      const isNamed = kind === 'named-secret' || kind === 'url-password'
      return isNamed && !looksSecret(secret) ? [] : [{ kind, start, end: start + secret.length }]
    })
}

/** The first of those that overlap counts. */
function apart(hits: readonly Hit[]): Hit[] {
  const kept: Hit[] = []
  for (const hit of [...hits].sort((one, other) => one.start - other.start))
    if (hit.start >= (kept.at(-1)?.end ?? 0)) kept.push(hit)
  return kept
}

/**
 * A value under a name like `token` that is one: not a place where it comes from (`$TOKEN`, `process.env.X`,
 * `secrets.X`), not a type or an example, and not a plain word.
 */
function looksSecret(text: string): boolean {
  if (text.length < 8 || /\s/.test(text)) return false
  if (/^[$<%[{*]|^\.\.\.|\$\{|^x+$|^redacted/i.test(text)) return false
  if (/^(?:process\.|os\.|env\.|secrets\.|config\.|args\.|vars\.|this\.|self\.)/i.test(text)) return false
  if (/^(?:string|number|boolean|undefined|null|true|false|required|optional|changeme|example)$/i.test(text))
    return false
  return /[0-9]/.test(text) || (/[A-Z]/.test(text) && /[a-z]/.test(text)) || /[^A-Za-z0-9_.-]/.test(text)
}
