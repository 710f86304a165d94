/**
 * What waits to be put in place where it cannot wait outside of the folder. A kill can leave such a file behind; it is
 * never part of anybody's work.
 */
export function stagingName(number: number): string {
  return `.agents-${process.pid}-${number}`
}

/** Those, and the ones that a tool leaves when it is killed while it writes. */
export function isStagingName(name: Buffer): boolean {
  return /^\.agents-(\d+-\d+\.(new|old)|unfinished-[0-9a-f]+)$/.test(name.toString('latin1'))
}
