import { expect, test } from 'vitest'
import { toPng } from '../../scripts/png.ts'
import { toSvg } from '../../scripts/svg.ts'
import { createHeadlessTerminal } from '../support/headless-terminal.ts'

const colours = { foreground: '#eeeeee', background: '#111111' }

async function pictureOf(bytes: string): Promise<string> {
  const terminal = createHeadlessTerminal(12, 1)
  await terminal.write(bytes)
  const svg = toSvg(terminal, colours)
  terminal.dispose()
  return svg
}

test('each run of equal cells is one text in its colour, as wide as its cells', async () => {
  const svg = await pictureOf('plain\u001b[38;2;255;0;0mred\u001b[0m')
  expect(svg).toMatch(/textLength="42.15"[^>]*fill="#eeeeee"[^>]*>plain</)
  expect(svg).toMatch(/textLength="25.29"[^>]*fill="#ff0000"[^>]*>red</)
})

test('surfaces and inverse cells are rectangles', async () => {
  expect(await pictureOf('\u001b[48;5;17m  ')).toContain('fill="#00005f"')
  expect(await pictureOf('\u001b[7mx')).toMatch(
    /<rect [^>]*fill="#eeeeee"\/><text [^>]*fill="#111111"[^>]*>x</,
  )
})

test('what means something in XML is escaped', async () => {
  expect(await pictureOf('<a&b>')).toContain('>&lt;a&amp;b&gt; ')
})

test('an SVG becomes a PNG', async () => {
  expect(
    toPng(await pictureOf('text'))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
})
