// `npm run test:e2e`: the whole local stack over real HTTP, its faults and its ends. One file at a time: each starts a stack.
import { defineConfig } from 'vitest/config';
import { WHOLE_RUNS } from './vitest.config.ts';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts', ...WHOLE_RUNS],
    setupFiles: ['test/support/end-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    // Processes are started, killed and waited for on machines that do other things too. A test that fails twice has failed.
    retry: 1,
    // Settings act and entries are stored a moment later.
    expect: { poll: { timeout: 20_000, interval: 100 } },
  },
});
