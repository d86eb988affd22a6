// Guards against running the tests on the system's Node where the project brings its own.
import { createRequire } from 'node:module';
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
