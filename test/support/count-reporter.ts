import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, `N passed, N failed`, for people and machines that read only the end. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const states = modules.flatMap(module => [...module.children.allTests()].map(test => test.result().state))
    const count = (state: string) => states.filter(each => each === state).length
    // A file that could not be loaded and an error outside every test fail the run, so they are counted.
    const broken = modules.filter(module => module.errors().length > 0).length + unhandledErrors.length
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    process.stdout.write(`\n${count('passed')} passed, ${count('failed') + broken} failed${skipped}\n`)
  }
}
