import { Resvg } from '@resvg/resvg-js'

/** An SVG as a PNG of twice its size, drawn with the fonts of this machine. */
export function toPng(svg: string): Buffer {
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: {
      loadSystemFonts: true,
      defaultFontFamily: 'DejaVu Sans Mono',
      monospaceFamily: 'DejaVu Sans Mono',
    },
  })
  return image.render().asPng()
}
