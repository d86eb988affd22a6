// Which npm packages have code in the bundles that the published package holds: those of the functions and the page of `neuron console`.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../lib/constructs/compute/bundle.ts';
import { buildConsole } from '../build-console.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The package that a file below node_modules belongs to, the innermost one; undefined for a file of this repository. */
export function packageOf(file: string): string | undefined {
  return /.*(?:^|[\\/])node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replace('\\', '/');
}

async function filesOfFunctions(): Promise<string[]> {
  const entries = globSync('lambdas/*/handler.ts', { cwd: ROOT }).toSorted();
  const builds = await Promise.all(
    entries.map((entry) => build({ ...bundleOptions(entry, ROOT), write: false })),
  );
  return builds
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
}

/** Names of the bundled packages, sorted; each is in `node_modules` of the root. `folder` takes a build of the page. */
export async function findBundledPackages(folder: string): Promise<string[]> {
  const files = [...(await filesOfFunctions()), ...(await buildConsole(folder))];
  const names = files.map(packageOf).filter((name) => name !== undefined);
  return [...new Set(names)].toSorted();
}
