/** YAML is asked for rarely; its writer is loaded only then. */
import { dump } from 'js-yaml'

export function toYaml(value: unknown): string {
  // Through JSON first: a field that JSON leaves out must not appear here.
  return dump(JSON.parse(JSON.stringify(value)), { lineWidth: -1, noRefs: true })
}
