import { readWeights } from '../../domain/gate/weights.ts'

/** Every setting: what it is for, its default, and what it may be. The reference for users is made from these rows. */
export interface SettingRow {
  readonly key: string
  readonly description: string
  readonly default: string
  /** Null: any text, checked where it is used. count: a whole number; amount: any; both from 0, or `none`. */
  readonly values: readonly string[] | 'count' | 'amount' | null
  /** What is wrong with a text that is one of no list; left out where it is checked where it is used. */
  readonly refusal?: (text: string) => string | null
  readonly env: string
  /** project: may have another value for one project. */
  readonly scope: 'everywhere' | 'project'
  /** Strongest first. */
  readonly order: readonly ValueSource[]
}

export type ValueSource = 'flag' | 'environment' | 'project' | 'file'

const ON_OFF = ['on', 'off']

export const settingsTable: readonly SettingRow[] = [
  {
    ...row('core.automation-profile', 'manual', null, 'Profile of plans for which nothing nearer names one.'),
    env: 'CLEVERAGENTS_AUTOMATION_PROFILE',
    scope: 'project',
    // The exception of requirements X-12: what was set for one project is nearer than what holds for all.
    order: ['project', 'flag', 'environment', 'file'],
  },
  {
    ...row(
      'core.format',
      'rich',
      ['rich', 'plain', 'json', 'yaml'],
      'How commands print; plain where stdout is no terminal.',
    ),
    env: 'CLEVERAGENTS_FORMAT',
  },
  row(
    'sandbox.confinement',
    'preferred',
    ['required', 'preferred', 'off'],
    'Whether commands of a plan are kept from the rest of the machine.',
  ),
  row(
    'sandbox.home-visible',
    'none',
    null,
    'What confined commands may read of your home folder besides tools and caches: paths with commas between them.',
  ),
  {
    ...row(
      'sandbox.strategy',
      'auto',
      ['auto', 'git_worktree', 'filesystem_copy', 'overlay', 'none'],
      'Where a plan works until Apply; auto takes the best that can be had. See the guide on sandboxes.',
    ),
    scope: 'project',
  },
  row(
    'sandbox.big-file-mb',
    '100',
    ['10', '25', '50', '100', '250', '500', '1000', '5000'],
    'Files above this many megabytes are in the sandbox as copies, and in no checkpoint or diff.',
  ),
  row(
    'sandbox.bring-along-max-mb',
    '2000',
    ['100', '250', '500', '1000', '2000', '5000', '10000', '50000'],
    'A dependency folder above this many megabytes is left out of sandboxes, where the disk cannot share blocks.',
  ),
  row(
    'sandbox.bring-along-max-files',
    '300000',
    ['1000', '10000', '50000', '100000', '300000', '1000000', '5000000'],
    'A dependency folder with more files than this is left out of sandboxes.',
  ),
  row(
    'sandbox.cleanup',
    'on_apply',
    ['on_apply', 'on_terminal', 'manual'],
    'When the working folder of a plan is removed; what it changed stays readable.',
  ),
  row(
    'sandbox.keep-days',
    'none',
    'count',
    'Days after its end until the states and outputs of a plan are removed; its decisions stay. none keeps them.',
  ),
  row(
    'children.seconds-to-begin',
    '60',
    ['1', '5', '15', '30', '60', '120', '300'],
    'A child plan that has not begun after this time counts as failed, and its parent asks how to go on.',
  ),
  {
    ...row(
      'confidence.weights',
      'success 0.3, familiarity 0.2, risk 0.3, invariants 0.2',
      null,
      'How much each factor counts when the product works out how sure it may be; they sum to 1.',
    ),
    refusal: text => {
      const weights = readWeights(text)
      return weights.ok ? null : weights.failure.message
    },
  },
  {
    ...row('plan.max-cost', 'none', 'amount', 'US dollars that one plan with all below it may cost.'),
    scope: 'project',
  },
  {
    ...row(
      'plan.max-tokens',
      'none',
      'count',
      'Tokens of models, read and written, that one plan with all below it may use.',
    ),
    scope: 'project',
  },
  row(
    'model.assumed-price',
    '10',
    'amount',
    'US dollars for a million tokens that budgets count where nobody knows what a model costs.',
  ),
  {
    ...row(
      'plan.max-steps',
      'none',
      'count',
      'Steps that one plan may take: decisions, calls, checks, questions.',
    ),
    scope: 'project',
  },
  {
    ...row(
      'plan.max-seconds',
      'none',
      'amount',
      'Seconds that one plan may run; waiting for you does not count.',
    ),
    scope: 'project',
  },
  row(
    'plan.repeated-calls',
    '5',
    ['0', '2', '3', '5', '10', '20', '50'],
    'A plan asks after so many equal calls with equal results; 0 is never.',
  ),
  row('budget.session.max-cost', 'none', 'amount', 'US dollars that all plans of one session may cost.'),
  row(
    'budget.org.max-cost',
    'none',
    'amount',
    'US dollars that all plans together may cost in a calendar month, UTC; no plan can raise it.',
  ),
  strictness('safety.require-sandbox', 'Plans of every profile need a sandbox.'),
  strictness('safety.require-checkpoints', 'Plans of every profile need checkpoints.'),
  strictness('safety.require-human-approval', 'A person approves every step, under every profile.'),
  strictness('safety.forbid-unsafe-tools', 'No profile lets unsafe tools run.'),
  row(
    'plans.profile-changes',
    'off',
    ON_OFF,
    'Whether a person may give a plan another profile after it was made, with plan profile set.',
  ),
  actorDefault('actor.default', 'The model that `model` stands for, as PROVIDER/MODEL.'),
  actorDefault('actor.default.strategy', 'The same for strategy actors alone.'),
  actorDefault('actor.default.execution', 'The same for execution actors alone.'),
  row(
    'model.idle-seconds',
    '240',
    ['5', '15', '30', '60', '120', '240'],
    "A model's server that says nothing for so long counts as gone; the call is tried again.",
  ),
  row(
    'model.max-malformed-calls',
    '3',
    'count',
    'How often in a row a model may call tools in a way that nobody understands; then a person is asked.',
  ),
  row('ui.theme', 'auto', ['auto', 'dark', 'light'], 'Colours of the screen; auto follows the terminal.'),
  row('ui.row-memo', 'on', ON_OFF, 'Whether rows that did not change are kept from frame to frame.'),
  row('ui.ascii', 'off', ON_OFF, 'Draw with plain ASCII characters only.'),
]

function actorDefault(key: string, description: string): SettingRow {
  return { ...row(key, 'none', null, description), scope: 'project', refusal: refuseModelName }
}

function refuseModelName(text: string): string | null {
  return text === 'none' || /^[a-z][a-z0-9_-]*\/\S+$/.test(text)
    ? null
    : `${JSON.stringify(text)} is no name of a model; write PROVIDER/MODEL, or none.`
}

/** Can only make a profile stricter. What is set for one project is nearer than what holds for all. */
function strictness(key: string, description: string): SettingRow {
  return {
    ...row(key, 'off', ON_OFF, description),
    scope: 'project',
    order: ['project', 'flag', 'environment', 'file'],
  }
}

function row(key: string, value: string, values: SettingRow['values'], description: string): SettingRow {
  return {
    key,
    description,
    default: value,
    values,
    env: `CLEVERAGENTS_${key.toUpperCase().replace(/[.-]/g, '_')}`,
    scope: 'everywhere',
    order: ['flag', 'environment', 'project', 'file'],
  }
}
