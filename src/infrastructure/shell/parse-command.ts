/**
 * Splits a command line into the simple commands that it may run. `unbash` reads the whole grammar of bash without a
 * start-up of its own. What runs a line is /bin/sh, which on some systems is a smaller shell: where the two would read
 * a line differently, nothing is guessed.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash'
import {
  type Assignment,
  type CommandInput,
  HOLE,
  type OpenedFile,
  type ParsedLine,
  type ShellWord,
  type SimpleCommand,
  type Span,
} from '../../domain/guards/command/command-line.ts'

export function parseCommand(text: string): ParsedLine {
  if (/[^\P{Cc}\t\n]/u.test(text)) return unclear('it has control characters in it')
  const commands: SimpleCommand[] = []
  try {
    visit(parse(text), { input: { kind: 'none' }, inside: null, source: text }, commands)
  } catch (error) {
    if (error instanceof Unclear) return unclear(error.message)
    // The parser itself gave up; what it did not read is not guessed.
    return unclear(`it cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
  return commands.length > MOST_COMMANDS
    ? unclear(`it has more than ${MOST_COMMANDS} commands in it`)
    : { kind: 'parsed', commands }
}

const MOST_COMMANDS = 400

function unclear(reason: string): ParsedLine {
  return { kind: 'unclear', reason }
}

class Unclear extends Error {}

interface Place {
  readonly input: CommandInput
  /** Where positions count in another text, the place of that text in the line. */
  readonly inside: Span | null
  readonly source: string
}

type Node<Type extends SyntaxNode['type']> = Extract<SyntaxNode, { type: Type }>

function visit(node: SyntaxNode, place: Place, found: SimpleCommand[]): void {
  switch (node.type) {
    case 'Script': {
      const [error] = node.errors ?? []
      if (error) throw new Unclear(`it cannot be read (${error.message})`)
      break
    }
    case 'Command':
      found.push(simpleCommand(node, place))
      break
    case 'Pipeline':
      visitPipeline(node, place, found)
      return
    case 'Redirected':
      visitRedirected(node, place, found)
      return
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      visitInner(node, place, found)
      return
    case 'AnsiCQuoted':
      throw new Unclear("shells differ in how they read $'...'")
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      throw new Unclear('shells differ in how they read ((...))')
    case 'ArithmeticExpansion':
      if (!node.expression && node.text !== '$(())') throw new Unclear(`${node.text} cannot be read`)
      break
    case 'ArithmeticWord':
      if (/\s/.test(node.value)) throw new Unclear('shells differ in how they read $((...))')
      break
    case 'TestLogical':
    case 'TestGroup':
      throw new Unclear('shells differ in how they read [[...]]')
    case 'TestBinary':
      // Arithmetic comparisons evaluate their words, so that a quoted `a[$(x)]` runs x.
      if (/[<>]|^-(eq|ne|lt|le|gt|ge)$/.test(node.operator))
        throw new Unclear('shells differ in how they read [[...]]')
      break
    default:
  }
  forEachChild(node, child => visit(child, place, found))
}

function visitPipeline(node: Node<'Pipeline'>, place: Place, found: SimpleCommand[]): void {
  node.commands.forEach((command, at) => {
    visit(command, at === 0 ? place : { ...place, input: { kind: 'piped' } }, found)
  })
}

/** What a group reads, everything in it may read. */
function visitRedirected(node: Node<'Redirected'>, place: Place, found: SimpleCommand[]): void {
  const input = inputOf(node.redirects, place)
  visit(node.command, { ...place, input }, found)
  const files = filesOf(node.redirects, place)
  if (files.length > 0) found.push({ words: [], assignments: [], files, input, span: spanOf(node, place) })
  for (const redirect of node.redirects) forEachChild(redirect, child => visit(child, place, found))
}

function visitInner(
  node: Node<'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion'>,
  place: Place,
  found: SimpleCommand[],
): void {
  const { script } = node
  if (!script) throw new Unclear(`${node.text} cannot be read`)
  const input: CommandInput = { kind: node.type === 'ProcessSubstitution' ? 'piped' : 'none' }
  const source = script.source
  visit(
    script,
    source === undefined ? { ...place, input } : { input, inside: spanOf(node, place), source },
    found,
  )
}

function simpleCommand(node: Node<'Command'>, place: Place): SimpleCommand {
  const named = node.name ? [wordOf(node.name, place)] : []
  const rest = node.args.map(each => (each.type === 'Word' ? wordOf(each, place) : assignedWord(each, place)))
  return {
    words: [...named, ...rest],
    assignments: node.prefix.flatMap(each => (each.type === 'Assignment' ? [assignment(each, place)] : [])),
    files: filesOf(node.redirects, place),
    input: inputOf(node.redirects, place),
    span: spanOf(node, place),
  }
}

function assignment(node: Node<'Assignment'>, place: Place): Assignment {
  const value = node.value.type === 'Word' ? wordOf(node.value, place) : null
  return { name: node.name, value, span: spanOf(node, place) }
}

/** `export NAME=value` is an argument like any other. */
function assignedWord(node: Node<'Assignment'>, place: Place): ShellWord {
  const { value } = assignment(node, place)
  const span = spanOf(node, place)
  const text = place.source.slice(node.pos, node.end)
  return { text, value: `${node.name}=${value?.value ?? HOLE}`, splits: false, span }
}

type Redirections = Node<'Command'>['redirects']

function filesOf(redirects: Redirections, place: Place): OpenedFile[] {
  return redirects.flatMap((each): OpenedFile[] => {
    if (each.type !== 'Redirect' || !each.target) return []
    const target = wordOf(each.target, place)
    if (/&$/.test(each.operator) && /^(\d+-?|-)$/.test(target.value)) return []
    const direction = each.operator === '<' || each.operator === '<&' ? 'read' : 'write'
    return [{ direction, target, span: spanOf(each, place) }]
  })
}

function inputOf(redirects: Redirections, place: Place): CommandInput {
  const last = redirects.findLast(each => each.type !== 'Redirect' || each.operator.startsWith('<'))
  if (!last) return place.input
  switch (last.type) {
    case 'Redirect':
      return { kind: 'piped' }
    case 'HereString':
      return last.target ? { kind: 'text', text: wordOf(last.target, place) } : { kind: 'piped' }
    case 'HereDoc': {
      const { body } = last
      const value = body.parts ? body.parts.map(part => pieceOf(part, 'quoted').value).join('') : body.text
      return { kind: 'text', text: { text: body.text, value, splits: false, span: spanOf(body, place) } }
    }
  }
}

function wordOf(node: Node<'Word'>, place: Place): ShellWord {
  const span = spanOf(node, place)
  const { text } = node
  if (!node.parts) return { text, value: node.value, splits: false, span }
  const pieces = node.parts.map(part => pieceOf(part, 'bare'))
  return {
    text,
    value: pieces.map(({ value }) => value).join(''),
    splits: pieces.some(({ splits }) => splits),
    span,
  }
}

interface Piece {
  readonly value: string
  readonly splits: boolean
}

type WordPart = NonNullable<Node<'Word'>['parts']>[number]

function pieceOf(part: WordPart, where: 'bare' | 'quoted'): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return { value: part.value, splits: false }
    case 'DoubleQuoted':
    case 'LocaleString': {
      const pieces = part.parts.map(each => pieceOf(each, 'quoted'))
      const before = part.type === 'LocaleString' ? HOLE : ''
      return {
        value: before + pieces.map(({ value }) => value).join(''),
        splits: pieces.some(({ splits }) => splits),
      }
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      // "$@" is as many words as there are arguments, in quotes too.
      return { value: HOLE, splits: where === 'bare' || /@/.test(part.text) }
    case 'CommandExpansion':
      return { value: HOLE, splits: where === 'bare' }
    case 'BraceExpansion':
    case 'ExtendedGlob':
      return { value: HOLE, splits: true }
    case 'Glob':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'AnsiCQuoted':
      return { value: HOLE, splits: false }
  }
}

function spanOf({ pos, end }: { readonly pos: number; readonly end: number }, { inside }: Place): Span {
  return inside ?? { start: pos, end }
}
