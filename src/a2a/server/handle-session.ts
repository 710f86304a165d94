import { mapped, ok } from '../../domain/failure.ts'
import { asMarkdown } from '../../domain/session/session-file.ts'
import type { Handler } from './call.ts'
import { sessionDetailsView, sessionView } from './to-view/session.ts'

export const create: Handler<'session.create'> = ({ session_id, name, actor, folder }, { backend }) =>
  mapped(
    backend.sessions.create({
      sessionId: session_id ?? null,
      name: name ?? null,
      actor: actor ?? null,
      folder: folder ?? null,
    }),
    sessionView,
  )

export const close: Handler<'session.close'> = ({ session_id }, { backend }) =>
  mapped(backend.sessions.close(session_id), sessionView)

export const list: Handler<'_cleveragents/session/list'> = (_, { backend }) =>
  ok({ sessions: backend.sessions.list().map(sessionView) })

export const show: Handler<'_cleveragents/session/show'> = ({ session_id }, { backend }) =>
  mapped(backend.sessions.show(session_id), sessionDetailsView)

export const remove: Handler<'_cleveragents/session/delete'> = ({ session_id }, { backend }) =>
  mapped(backend.sessions.delete(session_id), sessionView)

export const exportSession: Handler<'_cleveragents/session/export'> = ({ session_id, format }, { backend }) =>
  mapped(backend.sessions.export(session_id), file => ({
    text: format === 'md' ? asMarkdown(file) : `${JSON.stringify(file, null, 2)}\n`,
  }))

export const importSession: Handler<'_cleveragents/session/import'> = ({ text, session_id }, { backend }) =>
  mapped(backend.sessions.import({ text, sessionId: session_id ?? null }), sessionView)
