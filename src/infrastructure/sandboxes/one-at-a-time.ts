/** A queue for operations that would meet at one index or one folder; a failed one does not hold up the next. */
export function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <Value>(operation: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(operation)
    last = turn.catch(() => {})
    return turn
  }
}
