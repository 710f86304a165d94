import type { ResourceView } from '../../a2a/protocol/views/resource.ts'
import type { Paper } from './paper.ts'
import { factLines, tableLines } from './table.ts'

export function resourcesLines(
  { resources }: { readonly resources: readonly ResourceView[] },
  paper: Paper,
): string[] {
  const rows = resources.map(resource => [
    resource.name,
    resource.type,
    resource.mode,
    resource.projects.join(', '),
    resource.location,
  ])
  const head = ['RESOURCE', 'TYPE', 'MODE', 'PROJECTS', 'LOCATION']
  return tableLines({ head, rows, flexible: 4, empty: 'No resources.' }, paper)
}

export function resourceLines(resource: ResourceView, paper: Paper): string[] {
  const facts = [
    ['type', resource.type],
    ['location', resource.location],
    ['mode', resource.mode],
    ['projects', resource.projects.length > 0 ? resource.projects.join(', ') : 'none yet'],
    ['protected', resource.protects.join('\n')],
    ['not protected', resource.does_not_protect.join('\n')],
  ] as const
  return [paper.paint('strong', resource.name), ...factLines(facts, paper)]
}
