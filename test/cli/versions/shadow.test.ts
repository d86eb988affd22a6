// `neuron versions shadow`: begins, shows and ends, and what it refuses.
import { describe, expect, it } from 'vitest';
import { shadowCounterKey } from '../../../core/rollouts/shadow-budget.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

type Ports = Awaited<ReturnType<typeof withVersions>>;

/** `acme/hello` with v1, v2 deployed and v3. */
async function withVersions() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  for (const number of [1, 2, 3])
    await ports.store.createVersion('acme', {
      ...{ id: `v${number}`, number, neuronId: 'id-hello', author: 'ada', message: undefined },
      createdAt: `2026-11-0${number}T08:00:00.000Z`,
      flow: [{ serveOutput: { text: `text ${number}` } }],
      flowDigest: `digest-${number}`,
    });
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  return ports;
}

async function read(ports: Ports) {
  const organization = await ports.store.readOrganization('acme');
  const neuron = organization && (await ports.store.readNeuron(organization, 'hello'));
  if (neuron === undefined) throw new Error('acme/hello is gone');
  return neuron;
}

const shadow = (ports: Ports, verb: string, ...more: readonly string[]) =>
  runWith(ports, ['versions', 'shadow', verb, 'acme/hello', ...more, '--yes']);

describe('neuron versions shadow', () => {
  it('begins with share, budget and end, and moves no deployment', async () => {
    const ports = await withVersions();
    const before = await read(ports);
    const ran = await shadow(ports, 'start', 'v3', '--share', '0.25%', '--budget', '2.5', '--for', '2h');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout).toContain('acme/hello: v3 repeats 0.25% of the runs until ');
    const after = await read(ports);
    const until = new Date(ports.clock.now() + 2 * 3_600_000).toISOString();
    expect(after.shadow).toMatchObject({
      version: 'v3',
      basisPoints: 25,
      budgetMicrodollars: 2_500_000,
      until,
    });
    expect(after.shadow?.id).toMatch(/^[0-9a-f]{16}$/);
    expect([after.deployment, after.deployments]).toEqual([before.deployment, before.deployments]);
  });

  it('repeats 5 % for a day and a dollar where nothing else is said', async () => {
    const ports = await withVersions();
    await shadow(ports, 'start', 'v3');
    const until = new Date(ports.clock.now() + 86_400_000).toISOString();
    expect((await read(ports)).shadow).toMatchObject({
      basisPoints: 500,
      budgetMicrodollars: 1_000_000,
      until,
    });
  });

  it.each([
    ['the deployed version', ['v2'], 'v2 of acme/hello is deployed'],
    ['a version that is not there', ['v9'], 'acme/hello has no version v9'],
    ['no share', ['v3', '--share', '0%'], 'a share from 0.01% to 100%'],
    ['no budget', ['v3', '--budget', '0'], 'an amount in dollars'],
    ['less than a microdollar', ['v3', '--budget', '0.0000001'], 'an amount in dollars'],
    ['a negative budget', ['v3', '--budget', '-1'], ''],
    ['too long', ['v3', '--for', '31d'], 'It must be 1m to 30d.'],
  ])('refuses %s', async (_, words, text) => {
    const ports = await withVersions();
    const ran = await shadow(ports, 'start', ...words);
    expect(ran.exitCode).not.toBe(0);
    expect(ran.stderr).toContain(text);
    expect((await read(ports)).shadow).toBeUndefined();
  });

  it('refuses a second one while the first goes on, and takes it once that has ended by itself', async () => {
    const ports = await withVersions();
    await shadow(ports, 'start', 'v3', '--for', '1h');
    const second = await shadow(ports, 'start', 'v1');
    expect(second.stderr).toContain('v3 repeats runs of acme/hello already');
    const later = { ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 3_600_000 } };
    expect(await shadow(later, 'start', 'v1')).toMatchObject({ exitCode: 0 });
    expect((await read(ports)).shadow?.version).toBe('v1');
  });

  it('shows what is spent, by its counter', async () => {
    const ports = await withVersions();
    await shadow(ports, 'start', 'v3', '--budget', '2');
    const { shadow: started } = await read(ports);
    const nothing = JSON.parse(
      (await runWith(ports, ['versions', 'shadow', 'status', 'acme/hello', '--json'])).stdout,
    );
    expect(nothing).toMatchObject({ takenMicrodollars: 0, heldMicrodollars: 0, isOpen: true });
    const counterReader = {
      read: async (keys: readonly string[]) => {
        expect(keys).toEqual([shadowCounterKey(started ?? { id: '' })]);
        const counts = { cost: { taken: 1_250_000, held: 250_000 } };
        return new Map(keys.map((key) => [key, { counts, atMs: 0, leases: [] }]));
      },
    };
    const status = await runWith({ ...ports, counterReader }, ['versions', 'shadow', 'status', 'acme/hello']);
    expect(status.stdout).toContain('Budget: $1.250000 of $2.');
    expect(status.stdout).toContain('0 runs, 0 failed, 0 rejected.');
  });

  it('ends, and says where there is none', async () => {
    const ports = await withVersions();
    await shadow(ports, 'start', 'v3');
    expect(await shadow(ports, 'stop')).toMatchObject({ exitCode: 0 });
    expect((await read(ports)).shadow).toBeUndefined();
    expect((await shadow(ports, 'stop')).stderr).toContain('No version repeats runs of acme/hello.');
    const status = await runWith(ports, ['versions', 'shadow', 'status', 'acme/hello']);
    expect(status.stdout).toContain('acme/hello: no version repeats runs.');
  });

  it('outlives a deployment of another version', async () => {
    const ports = await withVersions();
    await shadow(ports, 'start', 'v3');
    await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v1', '--yes']);
    expect((await read(ports)).shadow?.version).toBe('v3');
  });
});
