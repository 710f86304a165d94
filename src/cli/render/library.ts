import type { ActionView, ArgumentView } from '../../a2a/protocol/views/action.ts'
import type { ToolView } from '../../a2a/protocol/views/tool.ts'
import { section } from './explain.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'

export function actionsLines(
  { actions }: { readonly actions: readonly ActionView[] },
  paper: Paper,
): string[] {
  const rows = actions.map(action => [
    action.name,
    action.unavailable === null ? action.state : 'unavailable',
    action.origin,
    action.description,
  ])
  return tableLines(
    { head: ['ACTION', 'STATE', 'ORIGIN', 'WHAT IT DOES'], rows, flexible: 3, empty: 'No actions.' },
    paper,
  )
}

export function actionLines(action: ActionView, paper: Paper): string[] {
  const facts = [
    ['what', action.description],
    ['more', action.long_description],
    ['done when', action.definition_of_done],
    ['actors', `${action.strategy_actor}, ${action.execution_actor}`],
    ['profile', action.automation_profile],
    ['starts', action.starts.length > 0 ? action.starts.join(', ') : null],
    ['changes', action.read_only ? 'nothing (read-only)' : null],
    ['state', `${action.state} (${action.origin})`],
    ['cannot run', action.unavailable],
  ] as const
  return [
    paper.paint('strong', action.name),
    ...factLines(facts, paper),
    ...section('Arguments', action.arguments.map(argumentText), paper),
    ...section('Invariants', action.invariants, paper),
  ]
}

export function toolsLines({ tools }: { readonly tools: readonly ToolView[] }, paper: Paper): string[] {
  const rows = tools.map(tool => [tool.name, toolTraits(tool), tool.description])
  return tableLines(
    { head: ['TOOL', 'TRAITS', 'WHAT IT DOES'], rows, flexible: 2, empty: 'No tools.' },
    paper,
  )
}

export function toolLines(tool: ToolView, paper: Paper): string[] {
  const facts = [
    ['what', tool.description],
    ['traits', toolTraits(tool)],
    ['side effects', tool.side_effects.join(', ')],
    ['input', JSON.stringify(tool.input_schema, null, 2)],
    ['output', JSON.stringify(tool.output_schema, null, 2)],
  ] as const
  return [paper.paint('strong', tool.name), ...factLines(facts, paper)]
}

interface Actors {
  readonly actors: readonly {
    readonly name: string
    readonly description: string
    readonly available: boolean
  }[]
}

export function actorsLines({ actors }: Actors, paper: Paper): string[] {
  const rows = actors.map(actor => [
    actor.name,
    actor.available ? 'available' : 'not available',
    actor.description,
  ])
  return tableLines({ head: ['ACTOR', 'STATE', 'WHAT IT IS'], rows, flexible: 2, empty: 'No actors.' }, paper)
}

function argumentText(argument: ArgumentView): string {
  const type = argument.type === 'enum' ? argument.values.join('|') : argument.type
  const need = argument.required ? 'required' : `default ${JSON.stringify(argument.default)}`
  return `${argument.name} (${type}, ${need}) ${argument.description}`
}

function toolTraits(tool: ToolView): string {
  const traits = [
    tool.read_only ? 'read-only' : '',
    tool.writes ? 'writes' : '',
    tool.checkpointable ? 'checkpointable' : '',
    tool.unsafe ? 'unsafe' : '',
  ]
  return traits.filter(Boolean).join(', ')
}
