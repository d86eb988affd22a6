// Guards against running the tests on the system's Node where the project brings its own.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('runs on Node 24 where the package with it could be installed', () => {
  const require = createRequire(import.meta.url);
  const name = `node-linux-${process.arch}/package.json`;
  let brought = true;
  try {
    require.resolve(name);
  } catch {
    brought = false;
  }
  const major = Number(process.versions.node.split('.')[0]);
  expect(brought ? [24] : [22, 24, 25, 26]).toContain(major);
});

// The README promises Node 20 for `npm ci`, which brings Node 24; the warnings of npm about the Node it runs on itself are hundreds of lines.
it('is installed by an older Node without a warning for every package', () => {
  const settings = readFileSync(join(import.meta.dirname, '..', '.npmrc'), 'utf8');
  expect(settings).toMatch(/^loglevel=error$/m);
});
