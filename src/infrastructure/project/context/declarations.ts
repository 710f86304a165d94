/**
 * What a file declares, read line by line: a hint for a model that has not opened it yet. It need not be complete, and a
 * file in a language that is not known here is listed by its name alone.
 */

const SCRIPT =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|namespace|const|let)\s+([A-Za-z_$][\w$]*)/
const PYTHON = /^(?:async\s+)?(?:def|class)\s+(\w+)/
const GO = /^(?:func(?:\s+\([^)]*\))?|type|var|const)\s+(\w+)/
const RUST =
  /^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|type|mod|static|const|union)\s+(\w+)/
const CURLY =
  /^\s{0,4}(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|partial|export|override|async)\s+)*(?:class|interface|enum|record|struct|object|trait|protocol|extension|func|fun|namespace|module)\s+([A-Za-z_]\w*)/
const C =
  /^(?:typedef\s+)?(?:struct|union|enum|class|namespace)\s+(\w+)|^[A-Za-z_][\w\s*:&<>,]*?\b(\w+)\s*\([^;]*$/
const RUBY = /^\s{0,4}(?:def|class|module)\s+([\w.?!:]+)/
const PHP =
  /^\s{0,4}(?:(?:public|private|protected|static|final|abstract)\s+)*(?:function|class|interface|trait|enum)\s+(\w+)/
const SHELL = /^(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)/
const SQL =
  /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|FUNCTION|INDEX|TRIGGER)\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w."]+)/i
const HEADING = /^#{1,2}\s+(.{1,60})/

const byExtension: Readonly<Record<string, RegExp | undefined>> = {
  ...all(SCRIPT, 'ts tsx mts cts js jsx mjs cjs vue svelte'),
  ...all(PYTHON, 'py pyi'),
  ...all(GO, 'go'),
  ...all(RUST, 'rs'),
  ...all(CURLY, 'java kt kts cs swift scala dart'),
  ...all(C, 'c h cc cpp cxx hpp m mm'),
  ...all(RUBY, 'rb'),
  ...all(PHP, 'php'),
  ...all(SHELL, 'sh bash zsh'),
  ...all(SQL, 'sql'),
  ...all(HEADING, 'md'),
}

function all(pattern: RegExp, extensions: string): Record<string, RegExp> {
  return Object.fromEntries(extensions.split(' ').map(extension => [extension, pattern]))
}

const MOST_NAMES = 12

/** The first names that a file declares, in order; empty where nothing is known of such files. */
export function declarationsIn(path: string, text: string): readonly string[] {
  const pattern = byExtension[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  if (!pattern) return []
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    // A line of megabytes declares nothing that a person wrote.
    const found = line.length > 400 ? null : pattern.exec(line)
    const name = found?.[1] ?? found?.[2]
    if (name !== undefined) names.add(name.trim())
    if (names.size === MOST_NAMES) break
  }
  return [...names]
}
