import type { Guard } from './guard.ts'

export const writeApproval: Guard = ({ requireApprovalForWrites }, { tool, isWrite }) =>
  requireApprovalForWrites && isWrite
    ? `${tool} writes, and every write needs the approval of a person`
    : null
