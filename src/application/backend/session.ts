import type { Result } from '../../domain/failure.ts'
import type { Message } from '../../domain/model/message.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Session, ShownGate } from '../../domain/session/session.ts'
import type { SessionFile } from '../../domain/session/session-file.ts'

export interface NewSession {
  /** Null: a fresh id. */
  readonly sessionId: string | null
  readonly name: string | null
  readonly actor: string | null
  readonly folder: string | null
}

export interface SessionDetails {
  readonly session: Session
  readonly messages: readonly Message[]
  /** Newest first, without those below them. */
  readonly plans: readonly Plan[]
}

export interface TellSession {
  readonly sessionRef: string
  readonly text: string
  readonly signal: AbortSignal
  /** The answer as it arrives. */
  readonly onText: (text: string) => void
}

export interface SessionReply {
  readonly session: Session
  readonly text: string
  readonly started: readonly Plan[]
}

export interface Sessions {
  create(input: NewSession): Result<SessionDetails>
  list(): readonly SessionDetails[]
  show(sessionRef: string): Result<SessionDetails>
  close(sessionRef: string): Result<SessionDetails>
  delete(sessionRef: string): Result<SessionDetails>
  export(sessionRef: string): Result<SessionFile>
  import(input: { readonly text: string; readonly sessionId: string | null }): Result<SessionDetails>
  tell(input: TellSession): Promise<Result<SessionReply>>
  /** What was said and answered without a model. */
  note(sessionId: string, said: string, reply: string): void
  rememberShown(sessionId: string, shown: ShownGate | null): void
}
