// `neuron list --provider`: which neurons ask a provider, in the versions that answer calls.
import { describe, expect, it } from 'vitest';
import type { RecordedRollout } from '../../../core/ports/administration.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const PROVIDERS = { providers: { demo: { type: 'echo' }, other: { type: 'echo' } } };
const ROLLOUT: RecordedRollout = {
  ...{ id: 'r', candidate: 'v3', basisPoints: 500, by: 'user', stages: [], stage: 0 },
  ...{ stageSince: 'x', since: 'x', startedBy: 'ada' },
};

/** `acme/hello` deployed v2 and rolls out v3; `beta` has no provider of that name; `gamma/empty` is not deployed. */
async function stored() {
  const ports = createMemoryPorts();
  const { store } = ports;
  for (const slug of ['acme', 'gamma'])
    await store.writeOrganization(organizationRecord(slug, PROVIDERS), 'absent');
  await store.writeOrganization(organizationRecord('beta', { providers: 7 }), 'absent');
  const caching = { caching: { semantic: { embedding: { provider: 'demo', model: 'lexical-1' } } } };
  await store.writeNeuron('acme', { ...neuronRecord('acme', 'hello', caching), rollout: ROLLOUT }, 'absent');
  await store.writeNeuron('acme', neuronRecord('acme', 'quiet'), 'absent');
  await store.writeNeuron('gamma', { ...neuronRecord('gamma', 'empty'), deployment: undefined }, 'absent');
  const version = (neuron: string, number: number, flow: unknown) => ({
    ...{ id: `v${number}`, neuronId: `id-${neuron}`, number, flow, flowDigest: '0'.repeat(64) },
    ...{ createdAt: '2026-11-20T08:00:00.000Z', author: 'local', message: undefined },
  });
  const call = (provider: string, model: string) => ({ provider, model });
  await store.createVersion('acme', version('hello', 1, [{ callModel: call('demo', 'too-old') }]));
  await store.createVersion(
    'acme',
    version('hello', 2, [
      // biome-ignore lint/suspicious/noThenProperty: steps of flows have it
      { if: { then: [{ callModel: { ...call('other', 'b'), fallbacks: [call('demo', 'echo-1')] } }] } },
    ]),
  );
  await store.createVersion(
    'acme',
    version('hello', 3, [{ callModel: { targets: [call('other', 'b'), call('demo', 'echo-2')] } }]),
  );
  await store.createVersion('acme', version('quiet', 2, [{ serveOutput: { text: 'demo' } }]));
  await store.createVersion('gamma', version('empty', 2, [{ callModel: call('demo', 'not-deployed') }]));
  return ports;
}

describe('neuron list --provider', () => {
  it('shows every place that asks the provider, over all organizations', async () => {
    expect((await runWith(await stored(), ['list', '--provider', 'demo'])).stdout).toBe(
      [
        'NEURON      VERSION  MODEL      AT',
        'acme/hello  -        lexical-1  caching.semantic.embedding',
        'acme/hello  v2       echo-1     flow[0].if.then[0].callModel.fallbacks[0]',
        'acme/hello  v3       echo-2     flow[0].callModel.targets[1]',
        '',
      ].join('\n'),
    );
  });

  it('shows the guards of an organization that ask it', async () => {
    const ports = await stored();
    const guards = {
      topics: { type: 'classifier', provider: 'demo', model: 'guard-1' },
      other: { type: 'openaiModeration', provider: 'other' },
      moderate: { type: 'openaiModeration', provider: 'demo' },
    };
    const organization = organizationRecord('delta', { ...PROVIDERS, guards });
    await ports.store.writeOrganization(organization, 'absent');
    const { stdout } = await runWith(ports, ['list', 'delta', '--provider', 'demo', '--json']);
    expect(stdout).toBe(
      '{"neuron":"delta","version":null,"at":"guards.topics","model":"guard-1"}\n' +
        '{"neuron":"delta","version":null,"at":"guards.moderate","model":null}\n',
    );
  });

  it('prints one object a line with --json', async () => {
    const { stdout } = await runWith(await stored(), ['list', 'acme', '--provider', 'demo', '--json']);
    expect(stdout.split('\n')[1]).toBe(
      '{"neuron":"acme/hello","version":"v2","at":"flow[0].if.then[0].callModel.fallbacks[0]","model":"echo-1"}',
    );
  });

  it('says that no deployed version asks it', async () => {
    expect(await runWith(await stored(), ['list', 'gamma', '--provider', 'demo'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'No deployed version asks demo.\n',
    });
  });

  it('refuses a provider that the organization lacks, and names the nearest', async () => {
    const { exitCode, stderr } = await runWith(await stored(), ['list', 'acme', '--provider', 'dmo']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('acme has no provider dmo. Did you mean demo?');
    expect(stderr).toContain('Run `neuron show acme`');
  });

  it('refuses a provider that no organization has, and what is no name', async () => {
    const ports = await stored();
    expect((await runWith(ports, ['list', '--provider', 'nobody'])).stderr).toContain(
      'No organization has a provider nobody.',
    );
    for (const name of ['__proto__', 'Demo', ''])
      expect((await runWith(ports, ['list', `--provider=${name}`])).exitCode).toBe(2);
  });
});
