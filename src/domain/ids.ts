/** Branded ids: a PlanId is not a DecisionId. All but one are ULIDs (26 Crockford base-32 characters, upper case). */

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type PlanId = Branded<'PlanId'>
export type DecisionId = Branded<'DecisionId'>
export type GateId = Branded<'GateId'>
export type StepId = Branded<'StepId'>
export type CheckpointId = Branded<'CheckpointId'>
export type CorrectionId = Branded<'CorrectionId'>
export type EventId = Branded<'EventId'>
export type RequestId = Branded<'RequestId'>
export type GrantId = Branded<'GrantId'>
export type ResourceId = Branded<'ResourceId'>
export type InvariantId = Branded<'InvariantId'>
export type AttachmentId = Branded<'AttachmentId'>
export type TaskId = Branded<'TaskId'>
/** No ULID: the SHA-256 of a message and of all before it, in hex; see model/message.ts. */
export type MessageId = Branded<'MessageId'>
export type AnyId =
  | PlanId
  | DecisionId
  | GateId
  | StepId
  | CheckpointId
  | CorrectionId
  | EventId
  | RequestId
  | GrantId
  | ResourceId
  | InvariantId
  | AttachmentId
  | TaskId

/** Hands out fresh ULIDs, monotonic within a process. Infrastructure provides it. */
export type IdSource = () => string

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export function isUlid(text: string): boolean {
  return ULID.test(text.toUpperCase())
}

/** Brands a text that is known to be a ULID (from an id source or a row of our own store). Throws on anything else. */
export function asId<Id extends AnyId>(text: string): Id {
  const upper = text.toUpperCase()
  if (!ULID.test(upper)) throw new Error(`not a ULID: ${JSON.stringify(text)}`)
  return upper as Id
}

/** The form lists and the screen show: the last six characters, since the first ones are only time. */
export function shortId(id: string): string {
  return id.slice(-6)
}
