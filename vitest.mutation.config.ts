// The tests that judge mutants: those of the folder that is mutated, but for the one that starts a database for every mutant.
import { defineConfig } from 'vitest/config';

const folder = process.env['FOLDER'] ?? 'core/access';

export default defineConfig({
  test: {
    include: [`test/${folder}/**/*.test.ts`],
    exclude: ['test/**/*-in-dynamodb.test.ts'],
    setupFiles: ['test/support/end-file.ts', 'test/support/property-runs.ts'],
    // Every mutant asks the properties again: few runs keep that short, and can only leave more mutants alive, never fewer.
    env: { PROPERTY_RUNS: '20' },
    testTimeout: 20_000,
  },
});
