// The tests that mutants are run against: those of the area that is mutated, but for the one that starts a database for every mutant.
import { defineConfig } from 'vitest/config';
import areas from './.ci/mutation-areas.json' with { type: 'json' };

const name = (process.env['AREA'] ?? 'access') as keyof typeof areas;

export default defineConfig({
  test: {
    include: areas[name].map((path) =>
      path.endsWith('.ts') ? `test/${path.replace(/\.ts$/, '.test.ts')}` : `test/${path}/**/*.test.ts`,
    ),
    exclude: ['test/**/*-in-dynamodb.test.ts'],
    setupFiles: ['test/support/end-file.ts', 'test/support/property-runs.ts'],
    // Every mutant asks the properties again: few runs keep that short, and can only leave more mutants alive, never fewer.
    env: { PROPERTY_RUNS: '20' },
    testTimeout: 20_000,
  },
});
