// `npm test`: everything that runs within two minutes; the long suites have configurations of their own.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/faults/**', 'test/concurrency/**'],
    testTimeout: 20_000,
  },
});
