import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { projectView } from './to-view/registry.ts'

export const list: Handler<'_cleveragents/project/list'> = async (_params, { backend }) =>
  ok({ projects: (await backend.projects()).map(projectView) })

export const show: Handler<'_cleveragents/project/show'> = async ({ project }, { backend }) =>
  mapped(await backend.project(project), projectView)

export const create: Handler<'_cleveragents/project/create'> = async ({ path, name }, { backend }) =>
  mapped(await backend.createProject(path, name ?? null), projectView)

export const trust: Handler<'_cleveragents/project/trust'> = async ({ project, digest }, { backend }) =>
  mapped(await backend.giveTrust(project, digest ?? null), projectView)

export const setUp: Handler<'_cleveragents/project/set-up'> = async (
  { project, command, network },
  { backend },
) => mapped(await backend.setSetUp(project, command === null ? null : { command, network }), projectView)

export const untrust: Handler<'_cleveragents/project/untrust'> = async ({ project }, { backend }) =>
  mapped(await backend.revokeTrust(project), projectView)
