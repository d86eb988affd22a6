// A fresh assembly takes the place of the one before, whose functions may still run.
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFolder } from '../../bin/start/synthesize.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder();
const folder = join(root, 'dev');

/** An assembly with one bundle, in the place of the one before. */
function replaceWith(bundle: string): string[] {
  const fresh = join(root, 'fresh');
  mkdirSync(join(fresh, bundle), { recursive: true });
  writeFileSync(join(fresh, bundle, 'index.mjs'), bundle);
  replaceFolder(folder, fresh);
  expect(existsSync(fresh)).toBe(false);
  return globSync('asset.*/index.mjs', { cwd: folder }).sort();
}

it('keeps the bundles of the assembly before, of which a function may not have loaded all, and none that is older', () => {
  expect(replaceWith('asset.one')).toEqual(['asset.one/index.mjs']);
  expect(replaceWith('asset.two')).toEqual(['asset.one/index.mjs', 'asset.two/index.mjs']);
  expect(replaceWith('asset.three')).toEqual(['asset.three/index.mjs', 'asset.two/index.mjs']);
});

it('keeps a bundle that did not change as what it is', () => {
  replaceWith('asset.four');
  expect(replaceWith('asset.four')).toEqual(['asset.four/index.mjs']);
  expect(replaceWith('asset.five')).toEqual(['asset.five/index.mjs', 'asset.four/index.mjs']);
});
