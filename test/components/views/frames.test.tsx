/** Every view as a person sees it, whole, at the sizes that decide its layout. `vitest -u` writes the pictures anew. */
import { expect, test } from 'vitest'
import { aCorrection, anUndo } from '../../support/correction-story.ts'
import { type DriveOptions, driveScreen } from '../../support/screen-driver.tsx'
import { shopBackend } from '../../support/shop-story.ts'

/** How each view is reached from a screen that has just loaded. */
const ways: Record<string, readonly string[]> = {
  home: [],
  tree: ['\t', 'j', 'j'],
  superseded: ['\t', 's', 'G'],
  inspector: ['\t', 'j', 'j', '\t'],
  steps: ['\t', 'j', 'j', 'j', 'i'],
  gates: ['g'],
  gate: ['g', '\r'],
  guidance: ['g', '\r', 'r'],
  diff: ['d'],
  'diff-sides': ['d', 'v'],
  compare: ['='],
  correct: ['\t', 'j', 'j', 'c'],
  preview: ['\t', 'j', 'j', 'c', '1'],
  append: ['\t', 'j', 'j', 'c', '4', 'add a changelog', '\r'],
  'append-guidance': ['\t', 'j', 'j', 'c', '4'],
  undo: ['u'],
  'new-plan': ['n'],
  form: ['n', '\r', 'a', '\t', '\t', 'x', '\r', '\r'],
  profiles: ['P', '\u001b[C'],
  help: ['?'],
  palette: [':', 'p', 'a'],
  filter: ['\t', '/', 'r', 'e', 'q'],
  cancel: ['X'],
  leave: ['q'],
}

const sizes: readonly DriveOptions[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
]

for (const [name, keys] of Object.entries(ways)) {
  for (const size of sizes) {
    test(`${name} at ${size.columns} by ${size.rows} without colours`, async () => {
      const drive = await driveTo(keys, size)
      await expect(drive.text()).toMatchFileSnapshot(`frames/${name}-${size.columns}x${size.rows}.txt`)
      await drive.close()
    })
  }
  test(`${name} in the dark theme`, async () => {
    const drive = await driveTo(keys, { columns: 120, rows: 40, depth: 'truecolor' })
    await expect(drive.styled()).toMatchFileSnapshot(`frames/${name}-dark.txt`)
    await drive.close()
  })
}

test('home fills a very large window', async () => {
  const drive = await driveTo(ways['tree'] ?? [], { columns: 250, rows: 70 })
  await expect(drive.text()).toMatchFileSnapshot('frames/tree-250x70.txt')
  await drive.close()
})

test('home shows two panes where three do not fit', async () => {
  const drive = await driveTo(ways['tree'] ?? [], { columns: 92, rows: 24 })
  await expect(drive.text()).toMatchFileSnapshot('frames/tree-92x24.txt')
  await drive.close()
})

test('home is readable in plain letters', async () => {
  const drive = await driveTo(ways['tree'] ?? [], { columns: 120, rows: 24, charset: 'ascii' })
  await expect(drive.text()).toMatchFileSnapshot('frames/tree-ascii.txt')
  expect(drive.text()).toMatch(/^[\n -~]*$/)
  await drive.close()
})

test('a window below 60 by 15 says so, and everything is where it was when it grows again', async () => {
  const drive = await driveTo(['\t', 'j', 'j'], { columns: 120, rows: 40 })
  const before = drive.text()
  await drive.resize(50, 10)
  await drive.pass(50)
  expect(drive.line(0).trimEnd()).toBe('This window is too small for the screen. It needs')
  await drive.resize(120, 40)
  await drive.pass(50)
  expect(drive.text()).toBe(before)
  await drive.close()
})

async function driveTo(keys: readonly string[], options: DriveOptions) {
  const drive = await driveScreen(
    shopBackend({
      '_cleveragents/plan/undo': () => anUndo('preview'),
      '_cleveragents/plan/correct': ({ guidance, mode = 'revert' }) =>
        mode === 'append'
          ? aCorrection(
              { guidance, mode },
              { decisions: [], restored: [], kept: [], gates_again: [], left_alone: [] },
            )
          : aCorrection(
              { guidance },
              {
                warnings: ['The profile asks before everything that is taken again.'],
                irreversible: ['#4 ran "npm publish" with network access.'],
              },
            ),
    }),
    options,
  )
  for (const key of keys) {
    await drive.keys(key)
    // Long enough for a card to arm.
    await drive.pass(700)
  }
  return drive
}
