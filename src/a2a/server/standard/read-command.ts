export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'use'; readonly action: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'faulty'; readonly why: string }
  | { readonly kind: 'unknown' }

/** Commands a person can type in any client: `use ACTION key=value ...`, `list`, `help`. */
export function readCommand(text: string): Command {
  const words = splitWords(text.trim())
  if (words === null) return { kind: 'faulty', why: 'A quotation mark is not closed.' }
  const [verb, action, ...pairs] = words
  if (words.length === 1 && /^(help|\?)$/i.test(verb ?? '')) return { kind: 'help' }
  if (words.length === 1 && /^list$/i.test(verb ?? '')) return { kind: 'list' }
  if (!/^use$/i.test(verb ?? '')) return { kind: 'unknown' }
  if (!action) return { kind: 'faulty', why: 'Say which action to use: use ACTION key=value ...' }
  const wrong = pairs.find(pair => !/^[^=]+=/.test(pair))
  if (wrong !== undefined)
    return { kind: 'faulty', why: `"${wrong}" is no argument; arguments are written key=value.` }
  return { kind: 'use', action, args: Object.fromEntries(pairs.map(splitPair)) }
}

function splitPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  return [pair.slice(0, equals), pair.slice(equals + 1)]
}

/** Words are parted by white space; quotation marks of either kind keep it, a backslash keeps the next character. */
function splitWords(text: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote !== null && char === quote) quote = null
    else if (quote === null && (char === '"' || char === "'")) {
      quote = char
      word ??= ''
    } else if (char === '\\' && quote !== "'" && at + 1 < text.length) word = (word ?? '') + text.charAt(++at)
    else if (quote === null && /\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  if (word !== null) words.push(word)
  return quote === null ? words : null
}
