// `neuron versions`: lists, shows, deploys, rolls back, and makes preview keys; two operators lose nothing.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VersionRecord } from '../../../core/ports/administration.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

function version(number: number, text: string): VersionRecord {
  return {
    id: `v${number}`,
    number,
    neuronId: 'id-hello',
    createdAt: `2026-11-0${number}T08:00:00.000Z`,
    author: 'ada',
    message: number === 2 ? 'be brief' : undefined,
    flow: [{ serveOutput: { text } }],
    flowDigest: `digest-${number}`,
  };
}

/** `acme/hello` with three versions; v2 is deployed, as the fifth deployment. */
async function withVersions() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  for (const number of [1, 2, 3]) await ports.store.createVersion('acme', version(number, `text ${number}`));
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  return ports;
}

async function read(ports: Awaited<ReturnType<typeof withVersions>>) {
  const organization = await ports.store.readOrganization('acme');
  const neuron = organization && (await ports.store.readNeuron(organization, 'hello'));
  if (neuron === undefined) throw new Error('acme/hello is gone');
  return neuron;
}

describe('neuron versions list', () => {
  it('shows the versions, newest first, and which one is deployed', async () => {
    const { stdout } = await runWith(await withVersions(), ['versions', 'list', 'acme/hello']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['VERSION', 'STATE', 'KEY', 'CREATED', 'BY', 'MESSAGE'],
      ['v3', '-', '-', '2026-11-03T08:00:00.000Z', 'ada', '-'],
      ['v2', 'deployed', '-', '2026-11-02T08:00:00.000Z', 'ada', 'be brief'],
      ['v1', '-', '-', '2026-11-01T08:00:00.000Z', 'ada', '-'],
    ]);
  });

  it('prints one object a line with --json', async () => {
    const { stdout } = await runWith(await withVersions(), ['versions', 'list', 'acme/hello', '--json']);
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toEqual({
      version: 'v2',
      deployed: true,
      previewKey: false,
      createdAt: '2026-11-02T08:00:00.000Z',
      author: 'ada',
      message: 'be brief',
    });
  });
});

describe('neuron versions show', () => {
  it('prints the flow as settings have it, and who made it when', async () => {
    const ran = await runWith(await withVersions(), ['versions', 'show', 'acme/hello', 'v2']);
    expect(ran.stdout).toBe('flow:\n  - serveOutput:\n      text: text 2\n');
    expect(ran.stderr).toBe('v2, deployed, created 2026-11-02T08:00:00.000Z by ada: be brief\n');
  });

  it('refuses an unknown version', async () => {
    const ran = await runWith(await withVersions(), ['versions', 'show', 'acme/hello', 'v9']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('acme/hello has no version v9.');
  });
});

describe('neuron versions diff', () => {
  it('shows lines of the deployed version, and of the one that is named', async () => {
    const ran = await runWith(await withVersions(), ['versions', 'diff', 'acme/hello', 'v3']);
    expect(ran.stdout).toBe(' flow:\n   - serveOutput:\n-      text: text 2\n+      text: text 3\n');
    expect(ran.stderr).toBe('v2 (deployed) → v3\n');
  });

  it('shows lines of the first, and of the second', async () => {
    const ports = await withVersions();
    const ran = await runWith(ports, ['versions', 'diff', 'acme/hello', 'v3', 'v1']);
    expect(ran.stdout).toBe(' flow:\n   - serveOutput:\n-      text: text 3\n+      text: text 1\n');
    expect(ran.stderr).toBe('v3 → v1\n');
    const { stdout } = await runWith(ports, ['versions', 'diff', 'acme/hello', 'v3', 'v1', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      from: 'v3',
      to: 'v1',
      lines: [' flow:', '   - serveOutput:', '-      text: text 3', '+      text: text 1'],
    });
  });

  it('leaves out what is far from a difference of a long prompt', async () => {
    const ports = await withVersions();
    const lines = Array.from({ length: 30 }, (_, index) => `Rule ${index}.`);
    await ports.store.createVersion('acme', version(4, lines.join('\n')));
    await ports.store.createVersion('acme', version(5, lines.join('\n').replace('Rule 7.', 'Rule seven.')));
    const { stdout } = await runWith(ports, ['versions', 'diff', 'acme/hello', 'v4', 'v5']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' ')),
    ).toEqual([' Rule 5.', ' Rule 6.', '- Rule 7.', '+ Rule seven.', ' Rule 8.', ' Rule 9.']);
  });

  it('says that two are the same, and prints nothing', async () => {
    const ran = await runWith(await withVersions(), ['versions', 'diff', 'acme/hello', 'v2']);
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'v2 (deployed) and v2 (deployed) have the same flow and variables.\n',
    });
  });

  it('refuses an unknown version, and one version where none is deployed', async () => {
    const ports = await withVersions();
    expect((await runWith(ports, ['versions', 'diff', 'acme/hello', 'v1', 'v9'])).stderr).toContain(
      'acme/hello has no version v9.',
    );
    await runWith(ports, ['versions', 'undeploy', 'acme/hello', '--yes']);
    const ran = await runWith(ports, ['versions', 'diff', 'acme/hello', 'v1']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('No version of acme/hello is deployed');
  });

  it('escapes what a prompt would do to a terminal', async () => {
    const ports = await withVersions();
    await ports.store.createVersion('acme', version(4, 'red \u001b[31m'));
    const { stdout } = await runWith(ports, ['versions', 'diff', 'acme/hello', 'v4']);
    expect(stdout).not.toContain('\u001b');
  });
});

describe('neuron versions deploy', () => {
  it('rolls back to an older version as a deployment of its own', async () => {
    const ports = await withVersions();
    const { stdout } = await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v1']);
    expect(stdout).toBe('acme/hello: v1 is deployed in place of v2. Takes effect within 15 s.\n');
    expect(await read(ports)).toMatchObject({
      deployment: { version: 'v1', number: 6 },
      deployments: 6,
      latestVersion: 3,
      updatedBy: 'arn:aws:iam::123456789012:user/ada',
    });
  });

  it('writes nothing for the version that is already deployed', async () => {
    const ports = await withVersions();
    const { stdout } = await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v2', '--json']);
    expect(JSON.parse(stdout)).toEqual({ neuron: 'acme/hello', deployed: 'v2', deployment: 5, hold: null });
    expect((await read(ports)).write).toBe(1);
  });

  it('refuses an unknown version', async () => {
    const ports = await withVersions();
    expect(await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v4'])).toMatchObject({ exitCode: 1 });
    expect((await read(ports)).deployment).toEqual({ version: 'v2', number: 5 });
  });

  it('refuses to overwrite what another operator changed in the meantime', async () => {
    const ports = await withVersions();
    const { store } = ports;
    const slow = {
      ...ports,
      store: {
        ...store,
        // Between this operator's read and write the other one pauses nothing less than the whole flow: v3 goes live.
        async readVersion(organization: string, neuronId: string, id: string) {
          const neuron = await read(ports);
          const deployment = { version: 'v3', number: 6 };
          await store.writeNeuron(organization, { ...neuron, deployment, deployments: 6 }, neuron.write);
          return store.readVersion(organization, neuronId, id);
        },
      },
    };
    const ran = await runWith(slow, ['versions', 'deploy', 'acme/hello', 'v1']);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('neuron acme/hello was changed by someone else in the meantime');
    expect((await read(ports)).deployment).toEqual({ version: 'v3', number: 6 });
  });
});

describe('neuron versions undeploy', () => {
  it('undeploys, and the next deployment continues the numbering', async () => {
    const ports = await withVersions();
    await runWith(ports, ['versions', 'undeploy', 'acme/hello', '--yes']);
    expect((await read(ports)).deployment).toBeUndefined();
    const again = await runWith(ports, ['versions', 'undeploy', 'acme/hello', '--yes']);
    expect(again.stdout).toBe('acme/hello: no version is deployed.\n');
    await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v3']);
    expect((await read(ports)).deployment).toEqual({ version: 'v3', number: 6 });
  });

  it('refuses without a terminal to ask on, unless --yes is passed', async () => {
    const ports = await withVersions();
    expect(await runWith(ports, ['versions', 'undeploy', 'acme/hello'])).toMatchObject({ exitCode: 2 });
    expect((await read(ports)).deployment).toEqual({ version: 'v2', number: 5 });
  });
});

describe('neuron versions key', () => {
  it('prints only the new key on standard output and stores its digest on the neuron', async () => {
    const ports = await withVersions();
    const { stdout, stderr } = await runWith(ports, ['versions', 'key', 'acme/hello', 'v3', '--new']);
    const key = stdout.trim();
    expect(key).toMatch(/^nrp_[A-Za-z0-9_-]{32}$/);
    expect(stderr).not.toContain(key);
    const { previewKeys } = await read(ports);
    expect(previewKeys).toEqual({ v3: createHash('sha256').update(key).digest('hex') });
    expect(JSON.stringify(await ports.store.readVersion('acme', 'id-hello', 'v3'))).not.toContain(
      previewKeys['v3'],
    );
  });

  it('replaces an earlier key', async () => {
    const ports = await withVersions();
    await runWith(ports, ['versions', 'key', 'acme/hello', 'v3', '--new']);
    const before = (await read(ports)).previewKeys;
    await runWith(ports, ['versions', 'key', 'acme/hello', 'v3', '--new']);
    const after = (await read(ports)).previewKeys;
    expect(Object.keys(after)).toEqual(['v3']);
    expect(after).not.toEqual(before);
  });

  it('refuses without --new, because no key is stored that could be shown', async () => {
    expect(await runWith(await withVersions(), ['versions', 'key', 'acme/hello', 'v3'])).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  });

  it('refuses an unknown version', async () => {
    const ran = await runWith(await withVersions(), ['versions', 'key', 'acme/hello', 'v9', '--new']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
