import * as z from 'zod'
import { refuse } from '../../domain/failure.ts'
import { asId, isUlid, type PlanId } from '../../domain/ids.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { defineTool, writesFiles } from './define-tool.ts'

/** Checked by the sandbox, which knows its states. */
const state = z.string().transform(text => text as SandboxState)

export const mergeChangesTool = defineTool({
  name: 'builtin/merge_changes',
  description:
    'Lays what another plan changed between two of its recorded states into the sandbox, around what is there. From the later to the earlier state it takes the changes back. All of it or nothing.',
  input: z.strictObject({ plan_id: z.string().refine(isUlid, 'not a plan id'), from: state, to: state }),
  output: z.strictObject({ paths: z.array(z.string()) }),
  capability: writesFiles,
  run: async ({ plan_id, from, to }, { merge }) => {
    const merged = await merge({ planId: asId<PlanId>(plan_id), from, to })
    if (!merged.ok) return merged
    if (merged.value.outcome === 'constrained') {
      const { conflicts } = merged.value
      const reasons = conflicts.map(conflict => conflict.reason).join(' ')
      return refuse('conflict', `The same places were changed since, so nothing was written. ${reasons}`, {
        conflicts,
      })
    }
    const { written } = merged.value
    const summary = `${written.length} ${written.length === 1 ? 'file' : 'files'} changed`
    return { ok: true, value: { output: { paths: [...written] }, summary, read: [], written: [...written] } }
  },
})
