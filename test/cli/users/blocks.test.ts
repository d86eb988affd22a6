// Blocks of a person who is erased: those that ended go, those that run stay until they end, and an export shows both.
import { describe, expect, it } from 'vitest';
import { digestUsername } from '../../../core/ports/user-key.ts';
import { createMemoryPorts, NOW_MS, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const HOUR_MS = 3_600_000;
const KEY = 'k'.repeat(44);
const DIGEST = digestUsername('ann', KEY);

/** An ended block of ann and of bob, and one of her digest that runs. */
async function withBlocks() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  ports.secretValues.set('id-acme/providers/log:hmac', KEY);
  ports.secretValues.set('id-acme/providers/user:hmac', KEY);
  const block = (target: string, user: string, length: string) =>
    runWith(ports, ['block', target, '--user', user, '--for', length]);
  await block('acme', 'ann', '1h');
  await block('acme', 'bob', '1h');
  await block('acme', 'Ann', '9h');
  await block('acme/hello', DIGEST, '9h');
  const clock = { ...ports.clock, now: () => NOW_MS + 2 * HOUR_MS };
  const run = (words: readonly string[], over: object = {}) => runWith({ ...ports, clock, ...over }, words);
  const stored = async () => {
    const organization = await ports.store.readOrganization('acme');
    const neuron = organization && (await ports.store.readNeuron(organization, 'hello'));
    return [organization?.blocks, neuron?.blocks].map((list) => list?.map(({ value }) => value));
  };
  return { ports, run, stored };
}

const erase = ['users', 'erase', 'acme', 'ann'];
const UNTIL = '2026-11-21T21:00:00.000Z';

describe('users erase', () => {
  it('removes blocks that ended, keeps those that run, and says until when', async () => {
    const { run, stored } = await withBlocks();
    expect(await stored()).toEqual([['ann', 'bob', 'Ann'], [DIGEST]]);
    const preview = await run([...erase, '--dry-run']);
    expect(preview.stdout).toContain('Would remove 1 block that ended.');
    expect(await stored()).toEqual([['ann', 'bob', 'Ann'], [DIGEST]]);
    const { stdout, exitCode } = await run([...erase, '--reason', 'request 17', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Removed 1 block that ended.');
    expect(stdout).toContain(`The block in acme/hello stays with the name until ${UNTIL}.`);
    // Another letter case is another user.
    expect(await stored()).toEqual([['Ann'], [DIGEST]]);
  });

  it('removes the rest when it is run again after the end', async () => {
    const { run, stored } = await withBlocks();
    await run([...erase, '--reason', 'request 17', '--yes']);
    const later = { clock: { now: () => NOW_MS + 10 * HOUR_MS, sleep: async () => {} } };
    const { stdout } = await run([...erase, '--reason', 'request 17', '--yes', '--json'], later);
    expect(JSON.parse(stdout)).toMatchObject({ changes: [], blocks: { removed: 1, kept: [] } });
    expect(await stored()).toEqual([['Ann'], undefined]);
  });

  it('leaves the name in no change of the log', async () => {
    const { run } = await withBlocks();
    await run([...erase, '--reason', 'request 17', '--yes']);
    const changes = await run(['logs', 'acme', '--changes', '--since', '2d', '--json']);
    expect(changes.stdout).toContain('"unblock"');
    expect(changes.stdout).not.toMatch(/"ann"/);
    expect(changes.stdout).not.toContain(DIGEST);
  });
});

it('users export shows blocks, ended or not, without the operator who set them', async () => {
  const { run } = await withBlocks();
  const { stdout } = await run(['users', 'export', 'acme', 'ann']);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ place }) => place === 'blocks')
    .map(({ record }) => record);
  const since = '2026-11-21T12:00:00.000Z';
  expect(records).toEqual([
    { target: 'acme/hello', kind: 'user', value: DIGEST, until: UNTIL, since, hasEnded: false },
    { target: 'acme', kind: 'user', value: 'ann', until: '2026-11-21T13:00:00.000Z', since, hasEnded: true },
  ]);
  expect(stdout).not.toContain('user/ada');
});
