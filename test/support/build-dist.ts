import { build } from '../../scripts/build.ts'

/** Stories run the built program; it is built from the present sources, however the tests were started. */
export async function setup(): Promise<void> {
  await build(process.cwd())
}
