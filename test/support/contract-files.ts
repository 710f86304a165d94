import { snapshotFolder } from './folder-snapshot.ts'
import type { FileTree } from './repository.ts'

/** The files a project of the contract has. */
export const contractFiles: FileTree = {
  'readme.md': '# Project\n',
  'src/one.txt': lines(30),
  'src/two.txt': lines(30),
  'bin/run.sh': { executable: '#!/bin/sh\necho run\n' },
  current: { link: 'src/one.txt' },
  'logo.bin': Uint8Array.from([0, 1, 2, 255, 0, 13, 10]),
}

export function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
}

/** Contents, kinds and permissions without times. */
export function bytes(folder: string): Promise<Record<string, string>> {
  return snapshotFolder(folder, { times: 'ignored' })
}
