import { type Failure, refuse } from '../../domain/failure.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import { runsUnattended } from '../../domain/profile/profile.ts'
import { COMMAND_TOOL } from '../../domain/tool.ts'
import type { Next } from '../plan/next.ts'
import type { Turn } from '../plan/turn.ts'
import { answerTo, ask, grantFor } from './find-answer.ts'
import { judgeOperation } from './judge-operation.ts'
import { recordPass } from './record-judgement.ts'

export type StepApproval =
  | { readonly kind: 'approved'; readonly network: 'none' | 'full' }
  | { readonly kind: 'asked'; readonly next: Next }
  | { readonly kind: 'changed'; readonly answer: GateAnswer }
  | { readonly kind: 'refused'; readonly failure: Failure }

export interface StepCall {
  /** Names what the question is about: the answer is found by it. */
  readonly key: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly wantsNetwork: boolean
  /** A person allowed it the network beforehand, for this very command. */
  readonly isNetworkGiven?: boolean
  /** US dollars, the most that it comes to. */
  readonly costUsd: number
}

/** Whether commands may run at all where nothing confines them. */
export async function confinementApproval(turn: Turn, call: StepCall): Promise<StepApproval> {
  const confinement = call.tool === COMMAND_TOOL ? await turn.session.ports.confinement() : null
  const missing = confinement?.kind === 'none' && !confinement.isSwitchedOff ? confinement.notice : null
  return missing === null ? withoutNetwork : unconfinedApproval(turn, call, missing)
}

/** Whether a person must allow this call. One question settles both the call and the network it asks for. */
export function personApproval(turn: Turn, call: StepCall): StepApproval {
  if (!call.wantsNetwork) return plainApproval(turn, call)
  if (!call.isNetworkGiven) return networkApproval(turn, call)
  const approval = plainApproval(turn, call)
  return approval.kind === 'approved' ? { kind: 'approved', network: 'full' } : approval
}

/** Where the safety profile wants a person before every step, nothing passes by confidence. */
function plainApproval(turn: Turn, call: StepCall): StepApproval {
  const { plan } = turn
  const { ports } = turn.session
  if (!plan.profile.safety.requireHumanApproval) return withoutNetwork
  const safe = ports.tools.find(call.tool)?.capability.unsafe === false
  if (safe && grantFor(ports, plan, { gate: 'step_approval', decisionType: null, tool: call.tool }))
    return withoutNetwork
  const key = `${call.key}:approval`
  const answer = answerTo(ports, plan, key)
  if (answer) return answer.decision === 'approve' ? withoutNetwork : notApproved(answer, call.tool)
  const next = ask(ports, {
    kind: 'step_approval',
    requestKey: key,
    question: `Run ${call.tool}?`,
    subject: { kind: 'tool', tool: call.tool, input: call.input, folder: plan.project.root },
    options: [{ id: 'run', label: 'Run it', description: null, effect: 'approve' }],
    reason: 'the safety profile wants a person to approve every step',
    confidence: null,
  })
  return { kind: 'asked', next }
}

const withoutNetwork: StepApproval = { kind: 'approved', network: 'none' }

/**
 * Commands that cannot be confined run with the person's full rights. One who is there says once for the whole plan
 * whether they may; under a profile that asks nobody they do not run. Who wants neither switches confinement off.
 */
function unconfinedApproval(turn: Turn, call: StepCall, notice: string): StepApproval {
  const { plan } = turn
  const { ports } = turn.session
  const remedy = 'To let commands run all the same: agents config set sandbox.confinement off'
  if (runsUnattended(plan.profile)) {
    const message = `${notice} Profile ${plan.profile.name} asks nobody, so nothing was run. ${remedy}`
    return { kind: 'refused', failure: refuse('denied', message, { what: call.tool }).failure }
  }
  const key = 'unconfined commands'
  const answer = answerTo(ports, plan, key)
  if (answer) return answer.decision === 'approve' ? withoutNetwork : notApproved(answer, 'commands')
  const next = ask(ports, {
    kind: 'tool',
    requestKey: key,
    question: 'Commands of this plan cannot be confined. Run them?',
    subject: { kind: 'tool', tool: call.tool, input: call.input, folder: plan.project.root },
    options: [
      {
        id: 'run',
        label: 'Run the commands of this plan',
        description: 'This one and those that follow can read and change whatever you can.',
        effect: 'approve',
      },
    ],
    reason: `${notice} ${remedy}`,
    confidence: null,
  })
  return { kind: 'asked', next }
}

/**
 * What goes over the network leaves the sandbox and cannot be taken back, so a command gets it only where the profile
 * allows unsafe tools and the confidence controller passes it as irreversible; else a person is asked about this very
 * command. No standing approval reaches it.
 */
function networkApproval(turn: Turn, call: StepCall): StepApproval {
  const { plan } = turn
  const { ports } = turn.session
  const key = `${call.key}:network`
  const answer = answerTo(ports, plan, key)
  if (answer?.decision === 'approve')
    return { kind: 'approved', network: answer.optionId === 'without' ? 'none' : 'full' }
  if (answer) return notApproved(answer, `the network to ${call.tool}`)
  const { safety, name } = plan.profile
  const verdict = judgeOperation(ports, plan, {
    gate: 'decideInExecute',
    decisionType: 'tool_invocation',
    stated: null,
    touches: ['irreversible'],
  })
  const mayPass = safety.allowUnsafeTools && !safety.requireHumanApproval
  if (mayPass && verdict.passes) {
    ports.store.transaction(() => recordPass(ports, plan, verdict, `let ${call.tool} use the network`))
    return { kind: 'approved', network: 'full' }
  }
  const next = ask(ports, {
    kind: 'tool',
    requestKey: key,
    question: 'This command wants the network. Run it?',
    subject: { kind: 'tool', tool: call.tool, input: call.input, folder: plan.project.root },
    options: [
      {
        id: 'with',
        label: 'Run it with the network',
        description: 'It can then send what it reads, and reach services of this machine.',
        effect: 'approve',
      },
      { id: 'without', label: 'Run it without', description: null, effect: 'approve' },
    ],
    reason: mayPass ? null : `profile ${name} lets nothing reach outside of the sandbox by itself`,
    confidence: mayPass ? verdict : null,
  })
  return { kind: 'asked', next }
}

function notApproved(answer: GateAnswer, what: string): StepApproval {
  if (answer.decision === 'request_changes') return { kind: 'changed', answer }
  const message = `A person refused ${what}: ${answer.note ?? 'no reason given'}.`
  return { kind: 'refused', failure: refuse('denied', message, { what }).failure }
}
