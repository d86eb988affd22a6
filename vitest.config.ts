// `npm test`: everything that runs within two minutes; the long suites have configurations of their own.
import { defineConfig } from 'vitest/config';

/** Tests that start and kill whole runs of stacks and processes: from end to end too, though they stand with what they test. */
export const WHOLE_RUNS = [
  'test/bin/watch.test.ts',
  'test/local/index.test.ts',
  'test/local/stopping.test.ts',
  'test/local/functions/orphans.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Of the end-to-end tests, the score of calls that take seconds.
    exclude: ['test/e2e/!(short).test.ts', 'test/faults/**', 'test/concurrency/**', ...WHOLE_RUNS],
    // By default one core is left alone, which on a machine with two is half of them.
    maxWorkers: '100%',
    // For the tests that start and kill processes, on machines that do other things too. A test that fails twice has failed.
    retry: 1,
    setupFiles: ['test/support/property-runs.ts'],
    // Properties at 10,000 runs take minutes.
    testTimeout: process.env['PROPERTY_RUNS'] === undefined ? 20_000 : 900_000,
  },
});
