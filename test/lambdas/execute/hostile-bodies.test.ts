// Bodies of 0.1 to 6 MB that are made to cost work, through all steps of a function in a process of its own: bounded in CPU and memory.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodiesOf, HOSTILE_BODIES, SIZES } from '../../core/surfaces/hostile-bodies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { BodyCost } from './hostile-bodies-child.ts';

const run = promisify(execFile);

/** Of a request, beyond what the process holds before it. */
const MAX_MEGABYTES = 150;

/** Every size takes minutes, so all of them are left to .ci/deep, which sets the variable; `npm test` parses every size. */
const sizes = process.env['NEURON_E2E_LONG'] === undefined ? [SIZES[1]!] : SIZES;

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  for (const kind of Object.keys(HOSTILE_BODIES))
    for (const body of bodiesOf(kind, sizes)) writeFileSync(join(folder, `${kind}, ${body.length}`), body);
}, 60_000);

/** Each body is sent until one time takes no more than `cpuMs`, five times at most. */
async function costsAt(neuron: string, cpuMs: number): Promise<readonly BodyCost[]> {
  const child = join(import.meta.dirname, 'hostile-bodies-child.ts');
  const args = ['--expose-gc', '--no-warnings', child, folder, neuron, String(cpuMs)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

/** The requests that took more than so much. */
const beyond = (costs: readonly BodyCost[], cpuMs: number) =>
  costs.filter((cost) => cost.cpuMs > cpuMs || cost.megabytes > MAX_MEGABYTES);

describe.runIf(process.platform === 'linux')('a hostile body', { timeout: 300_000 }, () => {
  it.each([
    ['of a neuron that takes texts alone', 'plain', 50, [400, 413, 422]],
    ['of a neuron that takes whatever a conversation may have', 'images', 50, [400, 422]],
    ['of a caller whose limit is used up', 'limited', 5, [429]],
    ['of a caller whose limit of tokens is used up', 'spent', 5, [429]],
  ])('%s is rejected, in time and memory', async (_of, neuron, cpuMs, statuses) => {
    const costs = await costsAt(neuron, cpuMs);
    expect(costs).toHaveLength(Object.keys(HOSTILE_BODIES).length * sizes.length * 5);
    expect(beyond(costs, cpuMs)).toEqual([]);
    expect([...new Set(costs.map(({ status }) => status))].toSorted()).toEqual(statuses);
  });
});
