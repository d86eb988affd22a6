// `neuron show` and `neuron delete`: what is stored goes out as a settings file, or goes away.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const FLOW = [{ callModel: { model: 'm', provider: 'demo' } }];

async function stored() {
  const ports = createMemoryPorts();
  const providers = { demo: { type: 'echo' } };
  const organization = organizationRecord('acme', { providers, name: 'Acme Inc.' });
  await ports.store.writeOrganization(organization, 'absent');
  const neuron = neuronRecord('acme', 'hello', { access: { public: true } });
  await ports.store.writeNeuron('acme', neuron, 'absent');
  for (const number of [2, 3]) {
    await ports.store.createVersion('acme', {
      id: `v${number}`,
      number,
      neuronId: 'id-hello',
      createdAt: '2026-11-20T08:00:00.000Z',
      author: 'local',
      message: undefined,
      flow: number === 3 ? FLOW : [{ stop: {} }],
      flowDigest: '',
    });
  }
  await ports.store.writeNeuron(
    'acme',
    { ...neuronRecord('acme', 'empty'), latestVersion: undefined, deployment: undefined },
    'absent',
  );
  ports.secretValues.set('id-acme/providers/key', 'geheim');
  return ports;
}

describe('neuron show', () => {
  it('prints a neuron with the flow of its newest version, and says when another is deployed', async () => {
    const { exitCode, stdout, stderr } = await runWith(await stored(), ['show', 'acme/hello']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'neuron: acme/hello',
        'access:',
        '  public: true',
        'flow:',
        '  - callModel:',
        '      provider: demo',
        '      model: m',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('acme/hello: the flow is that of the newest version, v3. v2 is deployed.\n');
  });

  it('prints an organization with its neurons, readable as a settings file', async () => {
    const { stdout } = await runWith(await stored(), ['show', 'acme']);
    const { documents, diagnostics } = parseYaml('shown', stdout);
    expect(diagnostics).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual([
      { organization: 'acme', name: 'Acme Inc.', providers: { demo: { type: 'echo' } } },
      { neuron: 'acme/empty' },
      { neuron: 'acme/hello', access: { public: true }, flow: FLOW },
    ]);
  });

  it('is a line of JSON per document with --json', async () => {
    const { stdout } = await runWith(await stored(), ['show', 'acme', '--json']);
    expect(stdout.split('\n')[1]).toBe('{"neuron":"acme/empty"}');
    expect(stdout.split('\n')).toHaveLength(4);
  });

  it('refuses what does not exist', async () => {
    const ports = await stored();
    expect((await runWith(ports, ['show', 'other'])).stderr).toContain('There is no organization other.');
    expect((await runWith(ports, ['show', 'acme/other'])).stderr).toContain('There is no neuron acme/other.');
  });
});

describe('neuron delete', () => {
  it('deletes a neuron with its versions and leaves the rest', async () => {
    const ports = await stored();
    const { exitCode, stdout } = await runWith(ports, ['delete', 'acme/hello', '--yes']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Deleted acme/hello. Takes effect within 15 s.\n',
    });
    expect(await ports.store.listVersions('acme', 'id-hello')).toEqual([]);
    const organization = await ports.store.readOrganization('acme');
    expect((await ports.store.listNeurons(organization!)).map(({ slug }) => slug)).toEqual(['empty']);
    expect(ports.secretValues.size).toBe(1);
  });

  it('deletes an organization with its neurons and secrets', async () => {
    const ports = await stored();
    const { stdout } = await runWith(ports, ['delete', 'acme', '--yes', '--json']);
    expect(stdout).toBe(
      '{"change":"delete_organization","organization":"acme","neuron":null,"version":null,"deploys":null}\n',
    );
    expect(await ports.store.listOrganizations()).toEqual([]);
    expect(ports.secretValues.size).toBe(0);
  });

  it('asks on a terminal, and refuses without one unless --yes is passed', async () => {
    const ports = await stored();
    expect((await runWith(ports, ['delete', 'acme'])).exitCode).toBe(2);
    const asked = await runWith(ports, ['delete', 'acme'], { typed: ['n'] });
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toContain(
      'Delete organization acme with its 2 neurons (empty, hello), versions, secrets and API keys?',
    );
    expect(await ports.store.listOrganizations()).toHaveLength(1);
    const one = await runWith(ports, ['delete', 'acme/hello'], { typed: ['n'] });
    expect(one.stderr).toContain('Delete neuron acme/hello and its versions? Log entries remain');
  });
});
