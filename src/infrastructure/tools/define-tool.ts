import * as z from 'zod'
import { type Result, refuse } from '../../domain/failure.ts'
import { parseRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Searched, Tool, ToolCapability, ToolContext, ToolOutcome } from '../../domain/tool.ts'
import { PatternTooSlow } from '../files/find-text.ts'
import { fsFailure } from '../files/fs-failure.ts'

export interface ToolSpec<Input, Output extends Record<string, unknown>> {
  readonly name: `builtin/${string}`
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly output: z.ZodType<Output>
  readonly capability: ToolCapability
  /** See Tool. */
  readonly wantsNetwork?: (input: Input) => boolean
  /** See Tool. */
  readonly opens?: (input: Input) => readonly RelPath[]
  /** See Tool. */
  readonly searches?: (input: Input) => Searched | null
  /** It keeps itself from writing where only reading is allowed; other writing tools are refused there. */
  readonly canRunReadOnly?: true
  run(input: Input, context: ToolContext): Promise<Result<ToolOutcome & { readonly output: Output }>>
}

/** Makes a tool of its schemas and its work: both JSON Schemas come from zod, and every input passes through it. */
export function defineTool<Input, Output extends Record<string, unknown>>(
  spec: ToolSpec<Input, Output>,
): Tool {
  return {
    name: spec.name,
    description: spec.description,
    // Made when read: few commands show them, and every command makes the tools.
    get inputSchema() {
      return z.toJSONSchema(spec.input, { io: 'input' })
    },
    get outputSchema() {
      return z.toJSONSchema(spec.output)
    },
    capability: spec.capability,
    wantsNetwork: input => {
      const parsed = spec.input.safeParse(input)
      return parsed.success && spec.wantsNetwork?.(parsed.data) === true
    },
    opens: input => {
      const parsed = spec.input.safeParse(input)
      return parsed.success ? (spec.opens?.(parsed.data) ?? []) : []
    },
    searches: input => {
      const parsed = spec.input.safeParse(input)
      return parsed.success ? (spec.searches?.(parsed.data) ?? null) : null
    },
    run: async (input, context) => {
      if (context.access === 'read_only' && spec.capability.writes && !spec.canRunReadOnly)
        return refuse('denied', `${spec.name} writes, and this phase may only read.`, { tool: spec.name })
      const parsed = spec.input.safeParse(input)
      if (!parsed.success) return invalidInput(spec.name, parsed.error)
      return runGuarded(spec, parsed.data, context)
    },
  }
}

function invalidInput(tool: string, error: z.ZodError) {
  const issues = error.issues.map(issue => ({ field: fieldOf(issue), reason: issue.message }))
  const text = issues.map(issue => `${issue.field}: ${issue.reason}`).join('; ')
  return refuse('invalid_input', `${tool} cannot use this input. ${text}`, { tool, issues })
}

function fieldOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.join(', ')
  return issue.path.join('.') || 'input'
}

async function runGuarded<Input, Output extends Record<string, unknown>>(
  spec: ToolSpec<Input, Output>,
  input: Input,
  context: ToolContext,
): Promise<Result<ToolOutcome>> {
  try {
    context.signal.throwIfAborted()
    return await spec.run(input, context)
  } catch (error) {
    if (context.signal.aborted) return refuse('interrupted', `${spec.name} was stopped.`, { tool: spec.name })
    if (error instanceof PatternTooSlow) return refuse('invalid_input', error.message, { tool: spec.name })
    const failure = fsFailure(error)
    if (failure) return { ok: false, failure }
    throw error
  }
}

/** An input field that holds a path inside the sandbox. */
export const pathField = z
  .string()
  .transform((text, check): RelPath => {
    const path = parseRelPath(text)
    if (path.ok) return path.value
    check.addIssue({ code: 'custom', message: path.failure.message })
    return z.NEVER
  })
  .describe('path relative to the project root, "/" between its parts')

export const globField = z
  .string()
  .min(1)
  .default('**')
  .describe('paths to look at: * within a folder, ** across folders, e.g. src/**/*.ts')

/** What a glob alone cannot say: this part of the project, but not its tests. */
export const excludeField = z
  .array(z.string().min(1))
  .default([])
  .describe('globs of paths to leave out of those, e.g. **/*.test.*')

export const pathList = z.array(z.string()).readonly()

export const readsOnly: ToolCapability = {
  readOnly: true,
  writes: false,
  checkpointable: false,
  sideEffects: [],
  unsafe: false,
}

export const writesFiles: ToolCapability = {
  ...readsOnly,
  readOnly: false,
  writes: true,
  checkpointable: true,
}
