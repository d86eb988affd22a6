// `npm run test:e2e`: the whole local stack over real HTTP, its faults and its ends. docs/testing.md says what runs where.
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG, NATIVE, NODE_COMPILE_CACHE, SETUP_FILES, WHOLE_RUNS } from './vitest.config.ts';

/**
 * One file at a time: they fill the machine with hundreds of calls, or depend on times that another busy stack would stretch (an embedding
 * has 300 ms, a throttle refills twice a second). A new file runs beside the others unless it needs a line here.
 */
const ALONE = ['test/e2e/{browser-streams,cache,cache-faults,capacity,moving-in,peak}.test.ts'];

/** They take half a minute and more. Begun first, they end beside the others, not after them. */
const LONG_FIRST = [
  ...[
    'stages',
    'access-log',
    'alerts',
    'readme',
    'flows',
    'anthropic',
    'usage',
    'access-table',
    'access-keys',
    'console',
  ].map((name) => `test/e2e/${name}.test.ts`),
  'test/lib/matrix.test.ts',
  'test/lambdas/execute/hostile-bodies.test.ts',
  'test/faults/streams.test.ts',
  'test/faults/killed-before-the-put.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG_FIRST.indexOf(relative(import.meta.dirname, moduleId));
      return at === -1 ? LONG_FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** `npm test` has it; against a deployment, another stage or another database it belongs to these. */
const OF_NPM_TEST = ['NEURON_E2E_URL', 'NEURON_E2E_STAGE', 'NEURON_E2E_ENGINE'].some(
  (name) => name in process.env,
)
  ? []
  : ['test/e2e/short.test.ts'];

/** Twice as many as there are cores in CI: most of them wait, for a schedule, the end of a window, a process that was killed. */
const BESIDE = 4;

export default defineConfig({
  test: {
    setupFiles: [...SETUP_FILES, 'test/e2e/support/begin-in-day.ts'],
    sequence: { sequencer: LongFirst },
    // Every case of a corpus takes minutes.
    testTimeout: 'EVERY_CASE' in process.env ? 900_000 : 120_000,
    hookTimeout: 120_000,
    // Processes are started, killed and waited for on machines that do other things too. A test that fails twice has failed.
    retry: 1,
    // Changed settings take effect, and entries are stored, a moment later.
    expect: { poll: { timeout: 30_000, interval: 100 } },
    env: { NODE_COMPILE_CACHE },
    experimental: NATIVE,
    projects: [
      {
        extends: true,
        test: {
          name: 'beside',
          include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts', ...WHOLE_RUNS],
          exclude: [...ALONE, ...OF_NPM_TEST],
          globalSetup: ['test/e2e/support/prepare.ts'],
          maxWorkers: BESIDE,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // By its name the last of the group, but for the two of LONG_FIRST: they need the machine while a stack waits. Files share a process.
        test: {
          name: 'without stack',
          include: LONG,
          isolate: false,
          maxWorkers: BESIDE,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
