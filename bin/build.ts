// `npm run build`: builds the package into dist/: JavaScript and types of lib, cli and core, bundled handlers, the page of `neuron console`.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder, writeBundle } from '../lib/constructs/compute/bundle.ts';
import { buildConsole } from './build-console.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** Builds into dist/, which is emptied first. Throws on type errors. */
async function build(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  execFileSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--project', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  for (const entry of globSync('lambdas/*/handler.ts', { cwd: ROOT })) {
    writeBundle(entry, join(DIST, builtFolder(entry)));
  }
  await buildConsole(join(DIST, 'console'));
  cpSync(join(ROOT, 'docs', 'schema'), join(DIST, 'schema'), { recursive: true });
}

if (import.meta.main) {
  await build();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  process.stdout.write(`built ${version} into dist/\n`);
}
