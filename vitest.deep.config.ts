// `npm run prove:log`: the long suite on a large log, which starts no stack. .ci/deep runs it.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/concurrency/large-log.test.ts'],
    setupFiles: ['test/support/end-file.ts'],
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
  },
});
