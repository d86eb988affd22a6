// The page of `neuron console` as it is built: the same whatever NODE_ENV says, and under vitest it says `test`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildConsole } from '../../bin/build-console.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('carries no places in its sources, without which a third of its script would be', async () => {
  const folder = temporaryFolder();
  const sources = await buildConsole(folder);
  expect(process.env['NODE_ENV']).toBe('test');
  expect(sources.some((path) => path.endsWith('console/app.tsx'))).toBe(true);
  const [script = ''] = globSync('assets/index-*.js', { cwd: folder });
  expect(readFileSync(join(folder, script), 'utf8')).not.toMatch(/lineNumber:|console\/app\.tsx/);
}, 60_000);
