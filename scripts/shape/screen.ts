import { nodesOf, type SourceFile } from '../source-files.ts'
import { place, type Row } from './row.ts'

/** Colours belong to themes, keys to the key map; `components/terminal` speaks to the terminal in its own language. */
export function screenRows(product: readonly SourceFile[]): Row[] {
  const screen = product.filter(
    file => /^(components|stores)\//.test(file.path) && !file.path.startsWith('components/terminal/'),
  )
  const views = screen.filter(file => !file.path.startsWith('components/keymap'))
  return [
    { what: 'colours outside themes', found: screen.flatMap(coloursOf) },
    { what: 'keys outside the key map', found: views.flatMap(keysOf) },
  ]
}

const colourName = /^['"`](black|red|green|yellow|blue|magenta|cyan|white|gr[ae]y|\w+Bright)['"`]$/
const colourCode = /#[0-9a-f]{6}\b|(\\x1b|\\u001b|\\u\{1b\}|\\e)\[[0-9;]*m/i

function coloursOf(file: SourceFile): string[] {
  const texts = nodesOf(file.tree, ['string', 'template_string'])
  return texts
    .filter(node => colourName.test(node.text()) || colourCode.test(node.text()))
    .map(node => place(file, node, node.text().slice(0, 40)))
}

function keysOf(file: SourceFile): string[] {
  const comparisons = nodesOf(file.tree, ['binary_expression']).filter(node =>
    /^(key|input|event)(\.(name|text|key))? (===|!==) ['"]/.test(node.text()),
  )
  return comparisons.map(node => place(file, node, node.text().slice(0, 40)))
}
