// `npm run prove:log` and `npm run prove:streams`: the long suites that start no stack. .ci/deep runs them.
import { defineConfig } from 'vitest/config';
import { NATIVE } from './vitest.config.ts';

export default defineConfig({
  test: {
    include: [
      'test/concurrency/large-log.test.ts',
      'test/concurrency/large-erasure.test.ts',
      'test/lambdas/execute/streams/*.test.ts',
    ],
    env: { STREAMS: 'proof' },
    experimental: NATIVE,
    setupFiles: ['test/support/end-file.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
