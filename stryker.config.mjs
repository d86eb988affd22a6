// Mutation testing of one folder of core by the tests of that folder: `npm run mutation`, or `FOLDER=core/limits npm run mutation`.
import { env } from 'node:process';

const folder = env['FOLDER'] ?? 'core/access';
const name = folder.split('/').at(-1);

export default {
  mutate: (env['MUTATE'] ?? `${folder}/**/*.ts`).split(','),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Without "related", vitest would look for the tests of every mutant anew. Test files are isolated, so that the first one
  // that fails ends the judgement of a mutant.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false, pool: 'threads' },
  coverageAnalysis: 'perTest',
  concurrency: Number(env['CONCURRENCY'] ?? 2),
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  // Judged mutants whose code and tests are as they were are not judged again. Those of a module's constants are tied to no
  // test: after a change of tests alone `stryker run --force --mutate FILE` judges them.
  incremental: true,
  incrementalFile: `reports/mutation/${name}-incremental.json`,
  ignorePatterns: ['/.local', '/cdk.out', '/dist', '/bench', '/examples', '/client', '/local'],
  disableTypeChecks: false,
  tsconfigFile: 'none: TypeScript 7 has no interface to rewrite it with',
};
