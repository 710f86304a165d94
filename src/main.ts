import { runCommandLine } from './cli/run.ts'
import { composeHost } from './compose.ts'

// A command may leave something that would keep the process alive, e.g. after a second signal; its word is final.
process.exit(await runCommandLine(process.argv.slice(2), composeHost(process)))
