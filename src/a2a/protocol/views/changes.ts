import * as z from 'zod'
import { nullableText } from './scalars.ts'

export const changeCountsView = z.object({ files: z.number(), additions: z.number(), deletions: z.number() })
export type ChangeCountsView = z.infer<typeof changeCountsView>

/**
 * A part of the changes before Apply: files and folders, or a patch with some of the hunks of `plan/diff`, where bytes
 * that are not UTF-8 come as base64, or hunks by their numbers in a file, counted from 1. At most one of the three.
 */
export const chosenPart = z.object({
  only: z.array(z.string()).min(1).optional(),
  hunks: z.string().optional(),
  hunks_encoding: z.enum(['utf8', 'base64']).default('utf8'),
  picks: z
    .array(z.object({ path: z.string(), hunks: z.array(z.number().int().positive()).min(1).optional() }))
    .min(1)
    .optional(),
})

export const changedFileView = z.object({
  path: z.string(),
  old_path: nullableText,
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  binary: z.boolean(),
})
export type ChangedFileView = z.infer<typeof changedFileView>

export const diffPart = z.enum(['left', 'applied', 'all'])

export const diffView = z.object({
  plan_id: z.string(),
  digest: z.string(),
  /** Which part of the plan's changes this is: those not in the user's files yet, those that are, or all. */
  part: diffPart,
  /** What the two sides are, e.g. `before the correction of #4` and `now`. */
  old: z.object({ title: z.string() }),
  new: z.object({ title: z.string() }),
  files: z.array(changedFileView),
  /** Unified diff that `git apply` accepts. Bytes that are not UTF-8 make `patch_encoding` base64. */
  patch: z.string(),
  patch_encoding: z.enum(['utf8', 'base64']),
})
export type DiffView = z.infer<typeof diffView>
