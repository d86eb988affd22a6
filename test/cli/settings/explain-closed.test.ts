// `neuron explain` while nobody is served: maintenance mode and a pause come before whatever access control decides.
import { describe, expect, it } from 'vitest';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

async function withSupport() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  const neuron = neuronRecord('acme', 'support', { access: { apiKey: true } });
  await ports.store.writeNeuron('acme', neuron, 'absent');
  return ports;
}

const lastLine = (stdout: string) => stdout.trimEnd().split('\n').at(-1);
const EXPLAIN = ['explain', 'acme/support'];

describe('neuron explain', () => {
  it('says that no call is let through during maintenance or a pause', async () => {
    const ports = await withSupport();
    const state = { retryAfterSeconds: 60, since: '2026-11-21T11:00:00.000Z', by: 'ada' };
    const acme = (await ports.store.readOrganization('acme'))!;
    await ports.store.writeOrganization({ ...acme, pause: state }, acme.write);
    expect(lastLine((await runWith(ports, EXPLAIN)).stdout)).toBe(
      'Nobody is served now: 429 organization_paused, since 2026-11-21T11:00:00.000Z, by ada',
    );
    await ports.store.setMaintenance(state);
    expect(lastLine((await runWith(ports, EXPLAIN)).stdout)).toBe(
      'Nobody is served now: 503 maintenance, since 2026-11-21T11:00:00.000Z, by ada',
    );
    const json = JSON.parse((await runWith(ports, [...EXPLAIN, '--json'])).stdout) as { closed: unknown };
    expect(json.closed).toEqual({ ...state, status: 503, code: 'maintenance' });
  });
});
