// Mutation testing of one area of core by the tests of that area: `npm run mutation`, or `AREA=limits npm run mutation`.
import { env } from 'node:process';
import areas from './.ci/mutation-areas.json' with { type: 'json' };

const name = env['AREA'] ?? 'access';
const sources = areas[name].map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`));

export default {
  mutate: env['MUTATE']?.split(',') ?? sources,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Without "related", vitest would look for the tests of every mutant anew. Test files are isolated, so that the first one
  // that fails decides about a mutant.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false, pool: 'threads' },
  coverageAnalysis: 'perTest',
  concurrency: Number(env['CONCURRENCY'] ?? 2),
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  // Mutants whose code and tests are as they were are not run again. Those of a module's constants are tied to no
  // test: after a change of tests alone `stryker run --force --mutate FILE` runs them.
  incremental: true,
  incrementalFile: `reports/mutation/${name}-incremental.json`,
  ignorePatterns: ['/.local', '/cdk.out', '/dist', '/bench', '/examples', '/client', '/local'],
  disableTypeChecks: false,
  tsconfigFile: 'none: TypeScript 7 has no interface to rewrite it with',
};
