// `neuron apply --deploy` and `--no-deploy`: which of them was said, and whether callers can see what was made.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const settings = (text: string, bodies: string) =>
  `organization: acme
---
neuron: acme/hello
access: { apiKey: true }
logging: { bodies: ${bodies} }
flow: [{ serveOutput: { text: ${text} } }]
`;

function apply(ports: MemoryPorts, text: string, ...words: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), text);
  return runWith(ports, ['apply', 'a.yaml', ...words], { folder });
}

describe('neuron apply', () => {
  it('says when it takes effect only if callers are affected', async () => {
    const ports = createMemoryPorts();
    expect((await apply(ports, settings('one', 'hash'))).stderr).toContain('Takes effect within 15 s.');
    const kept = await apply(ports, settings('two', 'hash'), '--no-deploy');
    expect(kept.stdout).toBe('Updated neuron acme/hello: version v2\n');
    expect(kept.stderr).not.toContain('Takes effect');
    const both = await apply(ports, settings('three', 'full'), '--no-deploy');
    expect(both.stderr).toContain('Takes effect within 15 s.');
    const moved = await apply(ports, settings('three', 'full'), '--deploy');
    expect(moved.stderr).toContain('Takes effect within 15 s.');
  });

  it.each([
    ['--deploy', '--no-deploy'],
    ['--no-deploy', '--deploy'],
  ])('refuses %s with %s, and writes nothing', async (...both) => {
    const ports = createMemoryPorts();
    const { exitCode, stderr } = await apply(ports, settings('one', 'hash'), ...both);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--deploy and --no-deploy were both given.');
    expect(await ports.store.readOrganization('acme')).toBeUndefined();
  });
});

describe('neuron versions deploy --hold', () => {
  const HOLD = ['versions', 'deploy', 'acme/hello', 'v1', '--hold', 'v2 answers in French'];

  async function rolledBack(hold: readonly string[]) {
    const ports = createMemoryPorts();
    await apply(ports, settings('one', 'hash'));
    await apply(ports, settings('two', 'hash'));
    expect(await runWith(ports, hold)).toMatchObject({ exitCode: 0 });
    return ports;
  }

  const deployedVersion = async (ports: MemoryPorts) => {
    const organization = await ports.store.readOrganization('acme');
    return organization && (await ports.store.readNeuron(organization, 'hello'))?.deployment?.version;
  };

  it('is named by apply and by --check alike, and is no difference', async () => {
    const ports = await rolledBack(HOLD);
    const named =
      'acme/hello: v1 is held by arn:aws:iam::123456789012:user/ada since 2026-11-21T12:00:00.000Z: v2 answers in French. ' +
      'The newest is v2; `neuron versions deploy acme/hello v2` ends the hold.';
    for (const words of [[], ['--check'], ['--dry-run'], ['--deploy']]) {
      const { exitCode, stderr } = await apply(ports, settings('two', 'hash'), ...words);
      expect(exitCode, words.join()).toBe(0);
      expect(stderr, words.join()).toContain(named);
    }
    expect(await deployedVersion(ports)).toBe('v1');
  });

  it('keeps the version while new ones are made, until another is deployed by hand', async () => {
    const ports = await rolledBack(HOLD);
    const made = await apply(ports, settings('three', 'full'));
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('version v3') });
    expect(made.stderr).toContain('The newest is v3');
    expect(await deployedVersion(ports)).toBe('v1');
    const ended = await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v3']);
    expect(ended.stdout).toContain('v3 is deployed in place of v1, and no longer held.');
    expect(await apply(ports, settings('three', 'full'), '--check')).toMatchObject({
      exitCode: 0,
      stderr: 'Nothing to change.\n',
    });
    await apply(ports, settings('four', 'full'));
    expect(await deployedVersion(ports)).toBe('v4');
  });

  it('holds and releases the deployed version without a new deployment, which would empty the cache', async () => {
    const ports = await rolledBack(['versions', 'deploy', 'acme/hello', 'v1']);
    const number = async () => {
      const { stdout } = await runWith(ports, [
        '--json',
        'versions',
        'deploy',
        'acme/hello',
        'v1',
        '--hold',
        'why',
      ]);
      return JSON.parse(stdout) as { deployment: number; hold: object };
    };
    expect(await number()).toMatchObject({ deployment: 3, hold: { reason: 'why' } });
    const released = await runWith(ports, ['--json', 'versions', 'deploy', 'acme/hello', 'v1']);
    expect(JSON.parse(released.stdout)).toMatchObject({ deployment: 3, hold: null });
    const changes = await runWith(ports, ['--json', 'logs', 'acme', '--changes']);
    expect(changes.stdout).toContain('"reason":"why"');
  });

  it('is a difference without a hold, which both name with the way to keep it', async () => {
    const ports = await rolledBack(['versions', 'deploy', 'acme/hello', 'v1']);
    const named =
      'v1 is deployed, the newest is v2; --deploy deploys it, `neuron versions deploy acme/hello v1 --hold REASON` keeps v1.';
    const checked = await apply(ports, settings('two', 'hash'), '--check');
    expect(checked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(named) });
    expect(checked.stderr).toContain('The files are applied, but another version is deployed.');
    expect(checked.stderr).not.toContain('Nothing to change.');
    expect((await apply(ports, settings('two', 'hash'))).stderr).toContain(named);
  });

  it('ends with the deployment', async () => {
    const ports = await rolledBack(HOLD);
    await runWith(ports, ['--yes', 'versions', 'undeploy', 'acme/hello']);
    await apply(ports, settings('two', 'hash'), '--deploy');
    expect(await deployedVersion(ports)).toBe('v2');
  });

  it.each(['', ' ', 'two\nlines', 'x'.repeat(501)])('refuses the reason %j', async (reason) => {
    const ports = createMemoryPorts();
    const words = ['versions', 'deploy', 'acme/hello', 'v1', `--hold=${reason}`];
    expect(await runWith(ports, words)).toMatchObject({ exitCode: 2 });
  });
});
