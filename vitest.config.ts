import { defineConfig } from 'vitest/config'
import { inkOutput } from './scripts/ink-output.ts'

const long = process.env['LONG'] === '1'

export default defineConfig({
  resolve: { alias: { [inkOutput.specifier]: inkOutput.path } },
  test: {
    // Real git, real SQLite and real terminals on two cores that others may use too: slow is not broken.
    testTimeout: long ? 14_400_000 : 180_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Two cores stand idle for a third of the time while programs that tests start are waited for.
    maxWorkers: 3,
    // Loading the sources anew for each file costs a second or more of it; a test that changes what all share puts it back.
    isolate: false,
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: [
            './test/support/outside-plans.ts',
            './test/support/in-memory.ts',
            './test/support/seeded.ts',
          ],
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          setupFiles: ['./test/support/outside-plans.ts'],
          include: ['test/e2e/**/*.test.{ts,tsx}'],
          globalSetup: './test/support/build-dist.ts',
          // A story is many steps of several programs.
          testTimeout: 180_000,
        },
      },
    ],
  },
})
