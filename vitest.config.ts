// `npm test`: everything that runs within two minutes; the long suites have configurations of their own.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `local/` is a package of its own, with its own tests. */
export const SETUP_FILES = ['test/support/end-file.ts', 'local/test/support/end-file.ts'];

/** Tests that start and kill whole runs of stacks and processes: from end to end too, though they stand with what they test. */
export const WHOLE_RUNS = [
  'test/bin/watch.test.ts',
  'local/test/index.test.ts',
  'local/test/stopping.test.ts',
  'local/test/http/answers.test.ts',
  'local/test/functions/{many-runs,orphans,runs,stuck}.test.ts',
  'test/bin/stage-errors.test.ts',
  'test/cli/tests/killed.test.ts',
  'test/client/package.test.ts',
  'test/docs/{client,site}.test.ts',
  'test/lambdas/execute/end/killed.test.ts',
  'test/lambdas/execute/guards/heap{,-services}.test.ts',
  'test/limits-proof.test.ts',
];

/** Tests that change what a whole process shares (variables, the loopback hook, the classes of the AWS SDK): each in a process of its own. */
export const ALONE = [
  'test/adapters/{dynamodb,guards,http,jwks,platform}/**/*.test.ts',
  'test/adapters/providers/{index,bedrock/{guardrail,wire},streams/drain}.test.ts',
  'test/bench/*.test.ts',
  'test/cli/guards/test-services.test.ts',
  // Loads Eleventy, whose build of zod gives words to errors of all schemas of a process.
  'test/cli/tests/markdown.test.ts',
  'test/client/client.test.ts',
  'test/contract/archive-in-s3.test.ts',
  'test/docs/logs.test.ts',
  'test/e2e/short.test.ts',
  'test/lambdas/execute/guards/{bedrock,every-service,remote*,service-*}.test.ts',
  // Needs the hook to be absent, whatever commands ran before it.
  'test/lambdas/execute/provider-hosts.test.ts',
  'test/lambdas/execute/streams/*.test.ts',
  'test/lib/constructs/bundle*.test.ts',
  'local/test/functions/environment.test.ts',
];

/**
 * The command and the children of tests are started hundreds of times: what Node compiled once is loaded, which halves the CPU time of a start.
 * Workers load the CDK and the AWS SDK from it too.
 */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/node-compile');

/** Node loads the tests itself, as it loads the product: Vite's own way took a third of the time. Of a test that mocks modules nothing is mocked. */
export const NATIVE = { viteModuleRunner: false, nodeLoader: false } as const;

/**
 * Work of many seconds that starts no stack: every optional setting in every stage, the engine of CloudFormation's schemas, random schemas with
 * random answers, each hostile body through a whole function, erasures of persons that are forged, copied, interrupted or run at once, rollouts
 * that are simulated, and whatever an auditor or a page of the console asks the command for, and each
 * failure of AWS under each command.
 */
export const LONG = [
  'test/lib/matrix.test.ts',
  'test/lib/checks/nag.test.ts',
  'test/adapters/schema/hostile.test.ts',
  'test/lambdas/execute/hostile-bodies.test.ts',
  'test/lambdas/execute/interleaved.test.ts',
  'test/lambdas/execute/guards/shapes/vendor-shapes.test.ts',
  'test/lambdas/execute/vendor-types/vendor-types.test.ts',
  'test/contract/{any-item,copied-erasures,erased-persons,erasures-at-once,forged-erasures,service-usage}.test.ts',
  'test/contract/{erasure-{by-name,during-export,of-names},stored-entries}.test.ts',
  'test/contract/erasure.test.ts',
  'test/lambdas/execute/one-truth/one-truth.test.ts',
  'test/cli/logs/export/export.test.ts',
  'test/cli/restore/restore-log.test.ts',
  'test/cli/aws-failures.test.ts',
  'test/cli/tests/hostile-files.test.ts',
  'test/cli/console/other-commands.test.ts',
  'test/cli/tests/options.test.ts',
  'test/core/rollouts/rollout-stops.test.ts',
  'test/docs/audit.test.ts',
  'test/lambdas/execute/rollout-stages.test.ts',
];

/** Of the end-to-end tests, `npm test` runs the score of calls that take seconds. */
const ELSEWHERE = [
  'test/e2e/!(short).test.ts',
  'test/faults/**',
  'test/concurrency/**',
  // Packages bring tests of their own.
  'test/clients/**',
  ...WHOLE_RUNS,
  ...LONG,
];

export default defineConfig({
  test: {
    // One more than there are cores: many tests wait for processes and timeouts. By default one core is left alone.
    maxWorkers: availableParallelism() + 1,
    // For the tests that start and kill processes, on machines that do other things too. A test that fails twice has failed.
    retry: 1,
    // The engine behind CloudFormation's schemas takes 5 s of CPU to start, in each process: .ci/deep sets the variable, and has them everywhere.
    env: { NODE_COMPILE_CACHE, CDK_VALIDATION: process.env['CDK_VALIDATION'] ?? 'false' },
    experimental: NATIVE,
    setupFiles: [...SETUP_FILES, 'test/support/property-runs.ts'],
    // Properties at 10,000 runs, and every case of a corpus, take minutes. A machine that does other things takes ten times as long as one that does not.
    testTimeout: ['PROPERTY_RUNS', 'EVERY_CASE'].some((name) => name in process.env) ? 900_000 : 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        // Files share a process, and so load what they test once: half of the time of all tests.
        test: {
          name: 'together',
          isolate: false,
          include: ['{test,local/test}/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...ALONE],
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: ELSEWHERE } },
    ],
  },
});
