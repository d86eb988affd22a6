// What Node prints when a program does not catch the client's error: a screen that a person can read.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { NeuronClient } from '../../client/src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const NOTHING_LISTENS = 'http://127.0.0.1:9';

beforeAll(() => buildClient({ folder: join(folder, 'dist') }));

describe('an error of the client that nobody catches', () => {
  it.each([
    ['index.js', 'import { NeuronClient } from', 'mjs'],
    ['index.cjs', 'const { NeuronClient } = require', 'cjs'],
  ])('is printed by Node with a line of readable code: %s', (file, load, extension) => {
    const module = JSON.stringify(join(folder, 'dist', file));
    const imported = extension === 'mjs' ? `${load} ${module};` : `${load}(${module});`;
    const call = `new NeuronClient({ baseURL: '${NOTHING_LISTENS}', retry: false }).callNeuron('acme', 'hello');`;
    const program = join(folder, `program.${extension}`);
    writeFileSync(program, `${imported}\n${call}\n`);
    const { stderr, status } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('[NetworkError]: No response from http://127.0.0.1:9/acme/hello');
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(250);
    expect(stderr.length).toBeLessThan(3_000);
  });
});

describe('a request that is larger than the service accepts', () => {
  // Of a 413 without CORS headers a browser tells a page as little as of a cable that is cut (Fetch Standard, "CORS check").
  const fetchInBrowser = () => Promise.reject(new TypeError('Failed to fetch'));
  const errorFor = (input: string) =>
    new NeuronClient({ baseURL: 'https://neurons.example.com', retry: false, fetch: fetchInBrowser })
      .callNeuron('acme', 'hello', { input })
      .catch((error: Error) => error.message);

  it('is explained where a browser hides the answer', async () => {
    expect(await errorFor('é'.repeat(3_000_001))).toBe(
      'No response from https://neurons.example.com/acme/hello. The request has 6.0 MB; the service accepts at most 6 MB, and a browser cannot read its answer to more.',
    );
  });

  it('is not blamed on its size where that is in bounds', async () => {
    expect(await errorFor('é'.repeat(2_999_000))).toContain('Check baseURL and that the service is running.');
  });
});
