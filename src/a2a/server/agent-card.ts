import { EXTENSION_URI, STDIO_BINDING } from '../protocol/envelope.ts'
import { methods } from '../protocol/methods.ts'
import type { Session } from './call.ts'

export interface CardFacts {
  readonly binding: Session['binding']
  readonly version: string
}

/**
 * Who we are, as A2A clients read it: the fields of 0.3 and of 1.0 in one object. It declares only what works. The
 * stdio interface is named only where the card travels over stdio: clients of 0.3 refuse a transport they do not know.
 */
export function agentCard({ binding, version }: CardFacts): Record<string, unknown> {
  return {
    ...identity,
    version,
    protocolVersion: '0.3.0',
    ...interfaces(binding),
    capabilities: {
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: false,
      extendedAgentCard: false,
      extensions: [extension()],
    },
    supportsAuthenticatedExtendedCard: false,
    securitySchemes: {},
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills,
  }
}

const MODES = ['text/plain', 'application/json']

const identity = {
  name: 'CleverAgents',
  description:
    'Runs plans on a code repository: decides in a tree, works in a sandbox, asks at gates, applies on approval.',
}

const skills = [
  {
    id: 'plan',
    name: 'Run a plan',
    description: 'Starts a plan from an action, asks at its gates, and shows or applies what it changed.',
    tags: ['plan', 'code', 'refactoring'],
    examples: ['help', 'list', 'use builtin/replace-text find=colour replace=color'],
    inputModes: MODES,
    outputModes: MODES,
  },
]

function interfaces(binding: Session['binding']) {
  if (binding !== 'stdio') return { url: '', preferredTransport: 'JSONRPC', supportedInterfaces: [] }
  const versions = ['1.0', '0.3'] as const
  return {
    url: 'stdio:',
    preferredTransport: STDIO_BINDING,
    supportedInterfaces: versions.map(protocolVersion => ({
      url: 'stdio:',
      protocolBinding: STDIO_BINDING,
      protocolVersion,
      tenant: '',
    })),
  }
}

function extension() {
  const available = Object.entries(methods).filter(([, row]) => !('available' in row))
  return {
    uri: EXTENSION_URI,
    description: 'Plans, decisions, gates, corrections and the event log behind the tasks.',
    required: false,
    params: {
      methodPrefix: '_cleveragents/',
      methods: available.map(([name]) => name),
      bindings: [STDIO_BINDING],
      gateSchemaVersion: 1,
    },
  }
}
