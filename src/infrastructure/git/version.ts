import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { Git } from './git.ts'

/** Merging two trees without a working folder came with this version. */
const OLDEST = { major: 2, minor: 38 }

/** Runners whose git was looked at and found good. */
const suitable = new WeakSet<Git>()

/** Refuses when the installed git cannot do what plans need. */
export async function checkGitVersion(git: Git, cwd: string): Promise<Result<void>> {
  if (suitable.has(git)) return ok()
  const ran = await git({ args: ['version'], cwd })
  if (!ran.ok) return ran
  const text = ran.value.stdout.toString().trim()
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? []
  const isNewEnough =
    Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
  if (isNewEnough) {
    suitable.add(git)
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
