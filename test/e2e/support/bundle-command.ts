// The command in one bundle: the tests start it a thousand times, and from its 600 sources a start takes three times the CPU time.

import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './command.ts';

/** As deep as what it asks for its folder: `cli/console`, `cli/session`. */
const FOLDER = join(ROOT, '.local/command');

/** Bundles it for `runNeuron`, in this process and those that it starts. README, life cycle and `npm test` start it from its sources. */
export async function bundleCommand(): Promise<void> {
  await build({
    entryPoints: [join(ROOT, 'bin/neuron.ts')],
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node22' },
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    // ES modules of packages leave out what nobody calls. Names stay: messages show some.
    ...{ mainFields: ['module', 'main'], minifySyntax: true, minifyWhitespace: true },
    // Dependencies that are CommonJS ask for modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  process.env['E2E_COMMAND'] = join(FOLDER, 'neuron.mjs');
}
