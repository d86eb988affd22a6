// `neuron versions rollout`: every move, what it waits for, and what it refuses.
import { describe, expect, it } from 'vitest';
import type { VersionRecord } from '../../../core/ports/administration.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { createMemoryPorts, NOW_MS, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

type Ports = Awaited<ReturnType<typeof withVersions>>;

function version(number: number): VersionRecord {
  return {
    id: `v${number}`,
    number,
    neuronId: 'id-hello',
    createdAt: `2026-11-0${number}T08:00:00.000Z`,
    author: 'ada',
    message: undefined,
    flow: [{ serveOutput: { text: `text ${number}` } }],
    flowDigest: `digest-${number}`,
  };
}

const STAGES = {
  by: 'key',
  stages: [{ share: '5%', for: '1h', runs: 2 }, { share: '100%' }],
};

/** `acme/hello` with v1, v2 deployed and v3. */
async function withVersions(rollout?: object) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  for (const number of [1, 2, 3]) await ports.store.createVersion('acme', version(number));
  const record = neuronRecord('acme', 'hello');
  const document = { ...(record.document as object), ...(rollout && { rollout }) };
  await ports.store.writeNeuron('acme', { ...record, document }, 'absent');
  return ports;
}

async function read(ports: Ports) {
  const organization = await ports.store.readOrganization('acme');
  const neuron = organization && (await ports.store.readNeuron(organization, 'hello'));
  if (neuron === undefined) throw new Error('acme/hello is gone');
  return neuron;
}

const rollout = (ports: Ports, verb: string, ...more: readonly string[]) =>
  runWith(ports, ['versions', 'rollout', verb, 'acme/hello', ...more, '--yes']);

describe('neuron versions rollout', () => {
  it('sends the first stage to the candidate, and moves no deployment', async () => {
    const ports = await withVersions();
    const before = await read(ports);
    const ran = await rollout(ports, 'start', 'v3');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout).toContain('acme/hello: v3 gets 5% of the callers, by user.');
    const after = await read(ports);
    expect(after.rollout).toMatchObject({ candidate: 'v3', basisPoints: 500, by: 'user', stage: 0 });
    expect(after.rollout?.id).toMatch(/^[0-9a-f]{16}$/);
    expect([after.deployment, after.deployments]).toEqual([before.deployment, before.deployments]);
  });

  it('takes share and subject of the command before those of the settings', async () => {
    const ports = await withVersions(STAGES);
    await rollout(ports, 'start', 'v3', '--share', '0.25%', '--by', 'address');
    expect((await read(ports)).rollout).toMatchObject({ basisPoints: 25, by: 'address' });
  });

  it('waits for the time and the runs of the stage', async () => {
    const ports = await withVersions(STAGES);
    await rollout(ports, 'start', 'v3');
    const ran = await rollout(ports, 'next');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('the stage lasts 3600 more seconds, the candidate has 0 of 2 runs');
    expect((await read(ports)).rollout).toMatchObject({ basisPoints: 500, by: 'key', stage: 0 });
    const forced = await rollout(ports, 'next', '--force');
    expect(forced.exitCode).toBe(0);
    expect((await read(ports)).rollout).toMatchObject({ basisPoints: 10_000, stage: 1 });
  });

  it('refuses a stage after the last, and says how to end', async () => {
    const ports = await withVersions();
    await rollout(ports, 'start', 'v3', '--share', '50%');
    const ran = await rollout(ports, 'next');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('`neuron versions rollout promote acme/hello` to deploy v3');
  });

  it('sends nobody while it is paused, not even by force, and the same share after it', async () => {
    const ports = await withVersions(STAGES);
    await rollout(ports, 'start', 'v3');
    const { id } = (await read(ports)).rollout ?? {};
    await rollout(ports, 'pause', '--reason', 'slow since noon');
    expect((await read(ports)).rollout).toMatchObject({ id, basisPoints: 0, paused: 'slow since noon' });
    const forced = await rollout(ports, 'next', '--force');
    expect(forced).toMatchObject({ exitCode: 1 });
    expect(forced.stderr).toContain('it is paused: slow since noon');
    await rollout(ports, 'resume');
    const resumed = (await read(ports)).rollout;
    expect(resumed).toMatchObject({ id, basisPoints: 500, stage: 0 });
    expect(resumed).not.toHaveProperty('paused');
  });

  it('deploys the candidate when it is promoted, as a deployment of its own', async () => {
    const ports = await withVersions();
    const { deployments } = await read(ports);
    await rollout(ports, 'start', 'v3');
    await rollout(ports, 'promote');
    const { deployment, rollout: ended } = await read(ports);
    expect([deployment, ended]).toEqual([{ version: 'v3', number: deployments + 1 }, undefined]);
  });

  it('deploys no candidate that the service stopped, unless by force', async () => {
    const ports = await withVersions();
    await rollout(ports, 'start', 'v3');
    const neuron = await read(ports);
    const counts = { control: { count: 9, bad: 0 }, candidate: { count: 9, bad: 9 } };
    const stop = { at: new Date(NOW_MS).toISOString(), guard: 'failed', evidence: 40, counts, isTold: true };
    const paused = 'stopped by itself: failed in 9 of 9 runs of v3, and in 0 of 9 of v2';
    const stopped = { ...neuron, rollout: { ...neuron.rollout!, basisPoints: 0, paused, stop } };
    await ports.store.writeNeuron('acme', stopped, neuron.write);
    const refused = await rollout(ports, 'promote');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      'The service stopped v3 of acme/hello: failed in 9 of 9, and in 0 of 9 of the control.',
    );
    expect(refused.stderr).toContain('pass --force');
    expect(await read(ports)).toMatchObject({ deployment: neuron.deployment, rollout: { paused } });
    expect(await rollout(ports, 'promote', '--force')).toMatchObject({ exitCode: 0 });
    expect((await read(ports)).deployment?.version).toBe('v3');
  });

  it('leaves the deployed version when it is aborted', async () => {
    const ports = await withVersions();
    const { deployment } = await read(ports);
    await rollout(ports, 'start', 'v3');
    await rollout(ports, 'abort');
    expect(await read(ports)).toMatchObject({ deployment, rollout: undefined });
  });

  it('is ended by a deployment of the version that is deployed, which keeps its number', async () => {
    for (const more of [[], ['--hold', 'v3 is slow']]) {
      const ports = await withVersions();
      const { deployment } = await read(ports);
      await rollout(ports, 'start', 'v3');
      const ran = await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v2', ...more, '--yes']);
      expect(ran.stdout).toContain('The rollout of v3 is over.');
      expect(await read(ports)).toMatchObject({ deployment, rollout: undefined });
    }
  });

  it('is ended by another deployment, and by none', async () => {
    for (const verb of [
      ['deploy', 'acme/hello', 'v1'],
      ['undeploy', 'acme/hello'],
    ]) {
      const ports = await withVersions();
      await rollout(ports, 'start', 'v3');
      await runWith(ports, ['versions', ...verb, '--yes']);
      expect((await read(ports)).rollout).toBeUndefined();
    }
  });

  it('shows the share of a version in the list, and the stage in its status', async () => {
    const ports = await withVersions(STAGES);
    await rollout(ports, 'start', 'v3');
    const list = await runWith(ports, ['versions', 'list', 'acme/hello']);
    expect(list.stdout).toMatch(/v3 +rollout 5%/);
    const status = await runWith(ports, ['versions', 'rollout', 'status', 'acme/hello']);
    expect(status.stdout).toContain('v3 gets 5% of the callers in place of v2, by key.');
    expect(status.stdout).toContain('Stage 1 of 2: the stage lasts 3600 more seconds');
  });

  it('shows the evidence of each guard by the counts since it began, and what is needed', async () => {
    const ports = await withVersions({ ...STAGES, guards: ['failed', 'slow'] });
    await rollout(ports, 'start', 'v3');
    const { rollout: begun } = await read(ports);
    const slot = (arm: 'control' | 'candidate', afterMs: number, failed: number, of = begun?.id ?? '') => ({
      ...{ organizationId: 'id-acme', neuronId: 'id-hello', neuron: 'hello', day: '2026-11-21' },
      subject: {
        ...({ kind: 'slot', organization: 'acme' } as const),
        ...{ rollout: of, arm, slot: new Date(Date.parse(begun?.since ?? '') + afterMs).toISOString() },
      },
      amounts: { ...NO_USAGE, success: 10 - failed, failed },
      ...{ entriesEnd: {}, expiresAt: undefined },
    });
    const later = { ...ports, clock: { ...ports.clock, now: () => NOW_MS + 60_000 } };
    const status = (at = later) =>
      runWith(at, ['versions', 'rollout', 'status', 'acme/hello', '--evidence', '--json']);
    expect(JSON.parse((await status(ports)).stdout)).toMatchObject({
      waits: ['the stage lasts 3600 more seconds', 'the candidate has 0 of 2 runs'],
      evidence: [
        { guard: 'failed', evidence: 1, needed: 40 },
        { guard: 'slow', evidence: 1, needed: 40, counts: null },
      ],
    });
    // Of before it began, and of another rollout.
    const others = [slot('candidate', -20_000, 10), slot('candidate', 20_000, 10, 'r2')];
    const rows = [slot('control', 20_000, 1), slot('candidate', 20_000, 4), ...others];
    await ports.usage.add([{ group: 'g', id: 'k', expiresAt: 1 }], rows, []);
    const [failed] = JSON.parse((await status()).stdout).evidence;
    expect(failed.counts).toEqual({ control: { count: 10, bad: 1 }, candidate: { count: 10, bad: 4 } });
    expect(failed.evidence).toBeGreaterThan(1);
    const text = (await runWith(later, ['versions', 'rollout', 'status', 'acme/hello', '--evidence'])).stdout;
    expect(text).toMatch(/failed: evidence [\d.]+ of 40; bad in 4 of 10 of the candidate, and in 1 of 10 of/);
    expect(text).toContain('slow: too little is known of the control');
  });

  it.each([
    [['start', 'v2'], 'v2 of acme/hello is deployed'],
    [['start', 'v9'], 'acme/hello has no version v9'],
    [['start', 'v3', '--share', '0%'], 'a share from 0.01% to 100%'],
    [['start', 'v3', '--share', '101%'], 'a share from 0.01% to 100%'],
    [['next'], 'No rollout of acme/hello is going on'],
    [['promote'], 'No rollout of acme/hello is going on'],
    [['pause', '--reason', 'a\nb'], 'one line of 1 to 200 characters'],
  ])('refuses %j', async ([verb = '', ...more], message) => {
    const ports = await withVersions();
    const before = await read(ports);
    const ran = await rollout(ports, verb, ...more);
    expect(ran.exitCode).toBeGreaterThan(0);
    expect(ran.stderr).toContain(message);
    expect(await read(ports)).toEqual(before);
  });

  it('refuses a second rollout, and one of a neuron without a deployment', async () => {
    const ports = await withVersions();
    await rollout(ports, 'start', 'v3');
    expect((await rollout(ports, 'start', 'v1')).stderr).toContain(
      'A rollout of v3 of acme/hello is going on',
    );
    await runWith(ports, ['versions', 'undeploy', 'acme/hello', '--yes']);
    expect((await rollout(ports, 'start', 'v1')).stderr).toContain('has no deployed version');
  });
});
