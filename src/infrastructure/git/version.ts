import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { Git } from './git.ts'

/** Merging two trees without a working folder came with this version. */
const OLDEST = { major: 2, minor: 38 }

/** Where the git that was looked at and found good is searched for. */
const suitable = new Set<string | undefined>()

/** Refuses when the installed git cannot do what plans need. */
export async function checkGitVersion(
  {
    git,
    environment,
  }: { readonly git: Git; readonly environment: Readonly<Record<string, string | undefined>> },
  cwd: string,
): Promise<Result<void>> {
  const searched = environment['PATH']
  if (suitable.has(searched)) return ok()
  const ran = await git({ args: ['version'], cwd })
  if (!ran.ok) return ran
  const text = ran.value.stdout.toString().trim()
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? []
  const isNewEnough =
    Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
  if (isNewEnough) {
    suitable.add(searched)
    return ok()
  }
  const needed = `${OLDEST.major}.${OLDEST.minor}`
  return refuse(
    'not_available',
    `Plans need git ${needed} or newer; this machine has "${text}". Install a newer git.`,
    {
      needed,
      found: text,
    },
  )
}
