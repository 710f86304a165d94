import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxState } from '../../src/domain/sandbox/strategy.ts'
import type { Tool, ToolContext } from '../../src/domain/tool.ts'

/** What every tool must promise, whatever it does. `input` is one that works on `a.txt` and `b.txt`. */
export function describeTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  more: Partial<ToolContext> = {},
): void {
  const fields = Object.entries(tool.inputSchema['properties'] as Record<string, { description?: string }>)
  const pathFields = fields.filter(([, { description }]) => /^(path|folder) /.test(description ?? ''))
  let folder = ''
  let context: ToolContext

  describe(tool.name, () => {
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tool-contract-'))
      mkdirSync(join(folder, 'root/.git'), { recursive: true })
      mkdirSync(join(folder, 'outside'))
      writeFileSync(join(folder, 'root/a.txt'), 'alpha\n')
      writeFileSync(join(folder, 'root/.git/config'), 'alpha\n')
      writeFileSync(join(folder, 'outside/a.txt'), 'alpha\n')
      symlinkSync('../outside', join(folder, 'root/folder-link'))
      symlinkSync('../outside/a.txt', join(folder, 'root/file-link'))
      context = toolContext(join(folder, 'root'), more)
    })
    afterEach(() => rmSync(folder, { recursive: true, force: true }))

    it('declares what it takes and gives as JSON Schema, in plain JSON', () => {
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
        expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
      }
      expect(tool.description).toMatch(/\w\.$/)
    })

    it('does not claim to read only and to write', () => {
      const { readOnly, writes, checkpointable } = tool.capability
      expect(readOnly).toBe(!writes)
      if (readOnly) expect(checkpointable).toBe(false)
    })

    it('works on the example and answers in the declared shape', async () => {
      const result = await tool.run(input, context)
      if (!result.ok) throw new Error(result.failure.message)
      const { output, summary, written } = result.value
      expect(JSON.parse(JSON.stringify(output))).toEqual(output)
      const properties = tool.outputSchema['properties'] as object
      expect(Object.keys(output).sort()).toEqual(Object.keys(properties).sort())
      expect(summary).not.toMatch(/\n|^$/)
      if (tool.capability.readOnly) expect(written).toEqual([])
    })

    it('refuses fields it does not know, by name', async () => {
      const result = await tool.run({ ...input, surprise: 1 }, context)
      expect(result).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
      expect(!result.ok && result.failure.message).toContain('surprise')
    })

    it.each(requiredFields(tool))('says that %s is missing', async field => {
      const result = await tool.run({ ...input, [field]: undefined }, context)
      expect(result).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
      expect(!result.ok && result.failure.message).toContain(`${field}:`)
    })

    const outsidePaths = [
      '/etc/passwd',
      '../outside/a.txt',
      'x/../../outside/a.txt',
      '.git/config',
      '.GIT/config',
      'folder-link/a.txt',
      'folder-link/new.txt',
      'a\0.txt',
      '"\\056\\056/outside/a.txt"',
    ]
    describe.each(pathFields.map(([name]) => name))('its path %s', name => {
      it.each(outsidePaths)('refuses %j and touches nothing outside', async path => {
        const before = allBelow(folder)
        const result = await tool.run({ ...input, [name]: path }, context)
        expect(result).toMatchObject({ ok: false })
        expect(allBelow(folder)).toEqual(before)
      })

      it('does not wait for a named pipe', async () => {
        execFileSync('mkfifo', [join(folder, 'root/pipe')])
        const result = await tool.run({ ...input, [name]: 'pipe' }, context)
        expect(result).toMatchObject({ ok: false })
      })

      it('leaves alone what a link points to', async () => {
        await tool.run({ ...input, [name]: 'file-link' }, context)
        expect(readFileSync(join(folder, 'outside/a.txt'), 'utf8')).toBe('alpha\n')
        expect(readdirSync(join(folder, 'outside'))).toEqual(['a.txt'])
      })
    })

    if (fields.some(([name]) => name === 'glob')) {
      it.each(['/etc/*', '../**', 'x/../../**'])('refuses the glob %s', async glob => {
        const result = await tool.run({ ...input, glob }, context)
        expect(result).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
      })

      it('never looks into .git or through links, whatever the glob', async () => {
        const before = readFileSync(join(folder, 'root/.git/config'), 'utf8')
        const result = await tool.run({ ...input, glob: '{.git,folder-link,file-link}{,/**}' }, context)
        if (!result.ok) throw new Error(result.failure.message)
        expect(result.value.read).not.toContain('.git/config')
        expect(result.value.read).not.toContain('folder-link/a.txt')
        expect(readFileSync(join(folder, 'root/.git/config'), 'utf8')).toBe(before)
        expect(readFileSync(join(folder, 'outside/a.txt'), 'utf8')).toBe('alpha\n')
      })
    }

    it('does nothing once it is stopped', async () => {
      const before = allBelow(folder)
      const result = await tool.run(input, { ...context, signal: AbortSignal.abort() })
      expect(result).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
      expect(allBelow(folder)).toEqual(before)
    })

    it('changes nothing where only reading is allowed', async () => {
      const before = allBelow(join(folder, 'root'))
      await tool.run(input, { ...context, access: 'read_only' })
      expect(allBelow(join(folder, 'root'))).toEqual(before)
    })
  })
}

export function toolContext(root: string, more: Partial<ToolContext> = {}): ToolContext {
  return {
    root,
    network: 'none',
    entry: null,
    projectRoot: root,
    access: 'read_write',
    databases: null,
    signal: new AbortController().signal,
    outputFolder: `${root}-output`,
    stepName: 'step',
    merge: async () => ({
      ok: true,
      value: { outcome: 'merged', written: [], decided: [], state: 'merged' as SandboxState },
    }),
    onOutput: () => {},
    ...more,
  }
}

function requiredFields(tool: Tool): string[] {
  return (tool.inputSchema['required'] as string[] | undefined) ?? []
}

/** Every path with its content or kind. */
function allBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => {
      const path = join(entry.parentPath, entry.name)
      return entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path
    })
    .sort()
}
