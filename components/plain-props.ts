import { compileTheme } from '../themes/compile.ts'
import { palettes } from '../themes/index.ts'
import type { Look } from './look.ts'
import { type Screen, situationOf } from './screen.ts'
import type { ViewProps } from './views/view.ts'

/** What a view would be given, without colours: for counting rows. No spinner starts because of it. */
export function plainProps(screen: Screen): ViewProps {
  return { situation: situationOf(screen), shelves: screen.store.shelves, look: plainLook(screen) }
}

function plainLook({ glyphs, charset }: Screen): Look {
  const [palette] = palettes
  if (!palette) throw new Error('There is no theme')
  return { theme: compileTheme(palette, 'none'), glyphs, charset, spinner: () => ' ' }
}
