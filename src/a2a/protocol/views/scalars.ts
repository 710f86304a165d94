/** What many views are made of. */
import * as z from 'zod'

export const nullableText = z.string().nullable()
export const score = z.number().min(0).max(1).nullable()
