// Bundles the handlers with the compose files of a measurement.
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from '../../lib/constructs/compute/bundle.ts';

const FUNCTIONS = { authorizer: 'lambdas/authorizer', execution: 'lambdas/execute' } as const;

/** The two bundles, written into `folder`; `composeFolder` holds the two compose files. */
export async function bundleWithMemory(
  folder: string,
  composeFolder: string = import.meta.dirname,
): Promise<Record<keyof typeof FUNCTIONS, string>> {
  const bundled = await Promise.all(
    Object.entries(FUNCTIONS).map(async ([name, source]) => {
      const output = join(folder, name);
      await build({
        ...bundleOptions(`${source}/handler.ts`, output),
        plugins: [replaceCompose(join(composeFolder, `${name}-compose.ts`))],
      });
      return [name, join(output, 'index.mjs')] as const;
    }),
  );
  return Object.fromEntries(bundled) as Record<keyof typeof FUNCTIONS, string>;
}

function replaceCompose(path: string): Plugin {
  return {
    name: 'memory',
    setup(builder) {
      builder.onResolve({ filter: /^\.\/compose\.ts$/ }, () => ({ path }));
    },
  };
}
