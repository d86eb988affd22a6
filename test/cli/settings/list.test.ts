// `neuron list`: what is stored, as a table and as JSON.
import { describe, expect, it } from 'vitest';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const HELLO = { name: 'Hi\u001b[2J', access: { apiKey: true, ips: ['10.0.0.0/8'] }, rateLimits: [{}, {}] };

async function stored() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme', { name: 'Acme Inc.' }), 'absent');
  const pause = { retryAfterSeconds: 60, since: 'x', by: 'y' };
  await ports.store.writeOrganization({ ...organizationRecord('beta'), pause }, 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello', HELLO), 'absent');
  const fresh = { deployment: undefined, latestVersion: undefined };
  await ports.store.writeNeuron('acme', { ...neuronRecord('acme', 'new'), ...fresh }, 'absent');
  return ports;
}

describe('neuron list', () => {
  it('shows organizations with name and state', async () => {
    const ports = await stored();
    expect((await runWith(ports, ['list'])).stdout).toBe(
      [
        'ORGANIZATION  NAME       STATE   CHANGED                   BY',
        'acme          Acme Inc.  open    2026-11-20T09:00:00.000Z  local',
        'beta          beta       paused  2026-11-20T09:00:00.000Z  local',
        '',
      ].join('\n'),
    );
    expect((await runWith(ports, ['list', '--json'])).stdout.split('\n')[1]).toBe(
      '{"organization":"beta","name":"beta","paused":true,"updatedAt":"2026-11-20T09:00:00.000Z","updatedBy":"local"}',
    );
  });

  it('shows the neurons of one, with what is deployed, and no control characters', async () => {
    const ports = await stored();
    expect((await runWith(ports, ['list', 'acme'])).stdout).toBe(
      [
        'NEURON      NAME         DEPLOYED  STATE  NEWEST  ACCESS       CHANGED                   BY',
        'acme/hello  Hi\\u{1b}[2J  v2        open   v3      apiKey, ips  2026-11-20T09:00:00.000Z  local',
        'acme/new    new          -         open   -       closed       2026-11-20T09:00:00.000Z  local',
        '',
      ].join('\n'),
    );
    const lines = (await runWith(ports, ['list', 'acme', '--json'])).stdout.split('\n');
    expect(lines[0]).toContain('"access":["apiKey","ips"],"rateLimits":2');
    expect(lines[1]).toBe(
      '{"neuron":"acme/new","name":"new","deployed":null,"newest":null,"paused":false,"access":[],"rateLimits":0,"updatedAt":"2026-11-20T09:00:00.000Z","updatedBy":"local"}',
    );
  });

  it('prints nothing on standard output where nothing is stored', async () => {
    expect(await runWith(createMemoryPorts(), ['list'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'There are no organizations yet.\n',
    });
  });

  it('refuses an unknown organization', async () => {
    expect(await runWith(await stored(), ['list', 'other'])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
