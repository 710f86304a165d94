/**
 * An action for stories about crashes and stops: decisions, writing steps, and a command that leaves a trace of every
 * time it ran, and goes on only when it is told to.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const workFiles = { 'readme.md': '# Work\n', 'src/a.txt': 'one\n', 'src/b.txt': 'one\n' }

/** What the files are once an undisturbed plan was applied: the command ran exactly once. */
export const workResult = {
  'readme.md': '# Work\n',
  'src/a.txt': 'two\n',
  'src/b.txt': 'three\n',
  'log.txt': 'ran\n',
  'made/new.txt': 'new\n',
}

/** `waits`: the command runs until `letItEnd`; `sleeps`: it ends by itself after a moment; `stubborn`: ignores SIGTERM. */
export function workAction(command: 'waits' | 'sleeps' | 'stubborn'): string {
  const wait = 'while [ ! -e go ]; do sleep 0.05; done; rm -f go'
  const rest = { waits: wait, sleeps: 'sleep 0.3', stubborn: `trap "" TERM INT HUP; ${wait}` }[command]
  return `name: local/work
description: Work in several steps
definition_of_done: The files are changed
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  strategize:
    - tool: {name: builtin/search_text, with: {pattern: one}, as: hits}
    - decide: {id: how, type: strategy_choice, question: How?, options: [{id: plain, label: Plainly}], choose: plain, confidence: 0.9}
  execute:
    - decide: {id: first, type: implementation_choice, question: First?, options: [{id: two, label: Two}], choose: two, confidence: 0.9}
    - tool: {name: builtin/replace_text, with: {find: one, replace: two}}
    - decide: {id: second, type: implementation_choice, question: Second?, options: [{id: run, label: Run}], choose: run, confidence: 0.9}
    - tool: {name: builtin/run_command, with: {command: '${`echo ran >> log.txt; ${rest}`}'}}
    - decide: {id: third, type: implementation_choice, question: Third?, options: [{id: three, label: Three}], choose: three, confidence: 0.9}
    - tool: {name: builtin/write_file, with: {path: made/new.txt, content: "new\\n"}}
    - tool: {name: builtin/edit_file, with: {path: src/b.txt, find: two, replace: three}}
`
}

/** Where a plan works, for looking at what a step has done so far. */
export function sandboxRoot(dataDir: string, planId: string, projectRoot: string): string {
  return join(dataDir, 'plans', planId, 'root', projectRoot.slice(projectRoot.lastIndexOf('/') + 1))
}

export function commandRuns(root: string): boolean {
  return traceOf(root) !== ''
}

/** What the command has left behind so far. A sandbox that is just put back may lose it at any moment. */
export function traceOf(root: string): string {
  try {
    return readFileSync(join(root, 'log.txt'), 'utf8')
  } catch {
    return ''
  }
}

export function letItEnd(root: string): Promise<void> {
  return writeFile(join(root, 'go'), '')
}
