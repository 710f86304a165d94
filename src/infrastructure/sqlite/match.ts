import { type AnyId, asId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { once } from './record-table.ts'

/** Fewer characters name too little: the last ones are what lists show. */
const SHORTEST_ENDING = 6
const MOST_CANDIDATES = 10

/**
 * Finds ids by what a person typed: the whole id, its beginning, or its last six or more characters. Newest first.
 * `scope` is a condition on the same table that takes the values given with the reference.
 */
export function idMatcher<Id extends AnyId>(
  { db }: Connection,
  table: string,
  column: string,
  scope = 'TRUE',
) {
  const statement = once(() =>
    db
      .prepare<[{ readonly ref: string; readonly scope: string | null }], string>(
        `SELECT ${column} FROM ${table}
         WHERE ((${column} >= @ref AND ${column} < @ref || '~')
           OR (length(@ref) >= ${SHORTEST_ENDING} AND substr(${column}, -length(@ref)) = @ref))
           AND (${scope.replaceAll('?', '@scope')})
         ORDER BY recorded DESC LIMIT ${MOST_CANDIDATES}`,
      )
      .pluck(),
  )
  return (reference: string, scopeValue: string | null = null): Id[] => {
    const ref = reference.trim().toUpperCase()
    if (!/^[0-9A-Z]{1,26}$/.test(ref)) return []
    return statement()
      .all({ ref, scope: scopeValue })
      .map(asId<Id>)
  }
}
