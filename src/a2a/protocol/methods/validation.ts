/** Checks before and during a plan. */
import { later } from './row.ts'

export const validationMethods = {
  '_cleveragents/validation/list': later('Validations.'),
} as const
