import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('a program run with scripts/run-tsx.ts', () => {
  it('can import a component as it stands', async () => {
    const folder = await temporaryFolder()
    const component = [
      '/** @jsxRuntime classic */',
      '/** @jsx draw */',
      'const draw = (tag: string, props: { of: string }) => tag + props.of',
      "export const picture: string = <box of='wood' />",
    ]
    await writeFiles(folder, { 'Picture.tsx': component.join('\n') })
    const url = pathToFileURL(join(folder, 'Picture.tsx')).href
    expect(run(`import { picture } from '${url}'\nprocess.stdout.write(picture)`)).toBe('boxwood')
  })

  it('reaches the same compositor through #ink-output as Ink itself', () => {
    const output = run(`
      import Output from '#ink-output'
      import { createElement } from 'react'
      import { renderToString, Text } from 'ink'
      Output.prototype.get = () => ({ output: 'drawn by us', height: 1 })
      process.stdout.write(renderToString(createElement(Text, null, 'drawn by Ink')))
    `)
    expect(output).toBe('drawn by us')
  })
})

function run(program: string): string {
  const args = ['--import', './scripts/run-tsx.ts', '--input-type=module', '--eval', program]
  return execFileSync(process.execPath, args, { encoding: 'utf8' })
}
