// `neuron cache clear`: what it stores and says.
import { describe, expect, it } from 'vitest';
import { createMemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

async function withNeuron() {
  const ports = createMemoryPorts();
  const organization = organizationRecord('acme', {});
  await ports.store.writeOrganization(organization, 'absent');
  const { createdAt, updatedAt, updatedBy } = organization;
  const neuron = { id: 'neu-1', organizationId: organization.id, slug: 'hello', document: {}, write: 0 };
  await ports.store.writeNeuron(
    'acme',
    {
      ...neuron,
      ...{
        createdAt,
        updatedAt,
        updatedBy,
        latestVersion: 1,
        deployments: 1,
        previewKeys: {},
        cacheGeneration: 4,
      },
      deployment: { version: 'v1', number: 1 },
    },
    'absent',
  );
  const read = async () => {
    const owner = await ports.store.readOrganization('acme');
    return owner === undefined ? undefined : ports.store.readNeuron(owner, 'hello');
  };
  return { ports, read };
}

describe('neuron cache clear', () => {
  it('increments the cache generation and leaves the deployment as it is', async () => {
    const { ports, read } = await withNeuron();
    const { exitCode, stdout } = await runWith(ports, ['cache', 'clear', 'acme/hello']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Cleared the response cache of acme/hello. Takes effect within 15 s.\n',
    });
    expect(await read()).toMatchObject({
      cacheGeneration: 5,
      deployment: { version: 'v1', number: 1 },
      updatedBy: 'arn:aws:iam::123456789012:user/ada',
    });
    expect((await runWith(ports, ['cache', 'clear', 'acme/hello', '--json'])).stdout).toBe(
      '{"neuron":"acme/hello","cacheGeneration":6}\n',
    );
  });

  it('asks on a terminal, and changes nothing after a no', async () => {
    const { ports, read } = await withNeuron();
    expect((await runWith(ports, ['cache', 'clear', 'acme/hello'], { typed: ['n'] })).exitCode).toBe(1);
    expect((await read())?.cacheGeneration).toBe(4);
  });

  it('refuses an unknown neuron', async () => {
    const { ports } = await withNeuron();
    expect((await runWith(ports, ['cache', 'clear', 'acme/other'])).exitCode).toBe(1);
    expect((await runWith(ports, ['cache', 'clear', 'acme'])).exitCode).toBe(2);
  });
});
