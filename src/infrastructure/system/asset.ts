import { fileURLToPath } from 'node:url'

/** Folders of files that are read at run time. The build copies each into `dist` under its key. */
export const assetFolders = {
  migrations: 'src/infrastructure/sqlite/migrations',
  actions: 'src/infrastructure/actions',
} as const

/** The absolute path of a folder of assets, in the source tree and in the bundle alike. */
export function assetFolder(name: keyof typeof assetFolders): string {
  return fileURLToPath(new URL(isBundled() ? name : `../../../${assetFolders[name]}`, import.meta.url))
}

/** All chunks lie flat in `dist`, beside the copied folders; the source tree is three folders deep here. */
function isBundled(): boolean {
  return !import.meta.url.endsWith('.ts')
}
