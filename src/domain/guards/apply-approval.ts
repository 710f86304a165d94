import type { Guard } from './guard.ts'

export const applyApproval: Guard = ({ requireApprovalForApply }, { isApply }) =>
  requireApprovalForApply && isApply ? 'Apply needs the approval of a person' : null
