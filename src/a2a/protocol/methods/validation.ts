/** Checks before and during a plan. */
import { later } from './row.ts'

export const validationMethods = {
  '_cleveragents/plan/check': later('Pre-flight checks without starting.'),
  '_cleveragents/validation/list': later('Validations.'),
} as const
