import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const binary = 'dist/agents.mjs'

describe('the binary', () => {
  it('can be executed as it is', () => {
    expect(statSync(binary).mode & 0o777).toBe(0o755)
    expect(readFileSync(binary, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
  })

  it('prints its version', () => {
    const run = spawnSync(process.execPath, [binary, '--version'], { encoding: 'utf8' })
    expect({ status: run.status, stdout: run.stdout, stderr: run.stderr }).toEqual({
      status: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    })
  })

  it('imports nothing before the version of Node is known to be new enough', () => {
    expect(readFileSync(binary, 'utf8')).not.toMatch(/^\s*(import|export)\s*[\w{*'"]/m)
  })

  it('tells an older Node which version is needed and how to get it, and exits 2', () => {
    const run = spawnSync(process.execPath, ['--import', pretendNode('14.21.3'), binary, '--version'], {
      encoding: 'utf8',
    })
    expect(run.status).toBe(2)
    expect(run.stdout).toBe('')
    expect(run.stderr).toContain('agents needs Node 22 or newer; this is Node 14.21.3')
    expect(run.stderr).toContain('https://nodejs.org')
  })

  it.runIf(olderNode())('says the same when a really older Node runs it', () => {
    const run = spawnSync(olderNode() ?? '', [binary, '--version'], { encoding: 'utf8' })
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('agents needs Node 22 or newer')
  })
})

function pretendNode(version: string): string {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`
  return `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`
}

/** The machine's own Node, where it is too old for us. */
function olderNode(): string | null {
  const path = ['/usr/local/bin/node', '/usr/bin/node'].find(candidate => majorOf(candidate) < 22)
  return path ?? null
}

function majorOf(node: string): number {
  try {
    return Number.parseInt(execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1), 10)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
