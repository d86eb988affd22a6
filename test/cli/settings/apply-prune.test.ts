// `neuron apply --prune`: deletes neurons of organizations that the files hold, and nothing of anyone else's.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const organization = (slug: string) => `organization: ${slug}\n`;
const neuron = (name: string) => `neuron: ${name}\naccess: { apiKey: true }\nflow: [{ stop: {} }]\n`;
const yaml = (...documents: readonly string[]) => documents.join('---\n');

function apply(
  ports: MemoryPorts,
  text: string,
  words: readonly string[] = [],
  around: { typed?: readonly string[] } = {},
) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), text);
  return runWith(ports, ['apply', 'a.yaml', ...words], { folder, ...around });
}

async function storedNames(ports: MemoryPorts): Promise<string[]> {
  const organizations = await ports.store.listOrganizations();
  const lists = organizations.map(async (one) => [
    one.slug,
    ...(await ports.store.listNeurons(one)).map(({ slug }) => `${one.slug}/${slug}`),
  ]);
  return (await Promise.all(lists)).flat().sort();
}

/** Two organizations; acme has three neurons. */
async function stored(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  const names = ['acme/one', 'acme/two', 'acme/three', 'other/theirs'];
  await apply(ports, yaml(organization('acme'), organization('other'), ...names.map(neuron)));
  return ports;
}

const NAMES = ['acme', 'acme/one', 'acme/three', 'acme/two', 'other', 'other/theirs'];

describe('neuron apply --prune', () => {
  it('leaves alone every organization that is not in the files', async () => {
    const ports = await stored();
    const files = yaml(organization('acme'), neuron('acme/one'), neuron('acme/two'));
    const { exitCode, stdout } = await apply(ports, files, ['--prune', '--yes']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Deleted neuron acme/three\n' });
    expect(await storedNames(ports)).toEqual(NAMES.filter((name) => name !== 'acme/three'));
  });

  it('deletes nothing for a file with one neuron, and says why', async () => {
    const ports = await stored();
    const { exitCode, stderr } = await apply(ports, neuron('acme/one'), ['--prune', '--yes']);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('--prune deletes nothing of acme: the organization is not in these files.\n');
    expect(await storedNames(ports)).toEqual(NAMES);
  });

  it('deletes every neuron of an organization that is in the files without any', async () => {
    const ports = await stored();
    expect((await apply(ports, organization('acme'), ['--prune', '--yes'])).exitCode).toBe(0);
    expect(await storedNames(ports)).toEqual(['acme', 'other', 'other/theirs']);
  });

  it('deletes the old name of a renamed neuron', async () => {
    const ports = await stored();
    const files = yaml(organization('other'), neuron('other/renamed'));
    const { stdout } = await apply(ports, files, ['--prune', '--yes']);
    expect(stdout).toBe('Created neuron other/renamed: version v1, deployed\nDeleted neuron other/theirs\n');
  });

  it('asks with the number and the names of what it deletes', async () => {
    const ports = await stored();
    const files = yaml(organization('acme'), neuron('acme/one'));
    const { exitCode, stderr } = await apply(ports, files, ['--prune'], { typed: ['n'] });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'Apply 2 changes to NeuronApi-test, including the deletion of 2 neurons (acme/three, acme/two)? [y/N]',
    );
    expect(await storedNames(ports)).toEqual(NAMES);
  });

  it.each([
    [[], 5],
    [['--max-deletions', '2'], 2],
    [['--max-deletions', '0'], 0],
  ] as const)('with %j deletes at most %i neurons, or nothing', async (words, bound) => {
    const ports = createMemoryPorts();
    const olds = Array.from({ length: bound + 1 }, (_, at) => `acme/old-${at}`);
    await apply(ports, yaml(organization('acme'), ...olds.map(neuron)));
    const rejected = await apply(ports, organization('acme'), ['--prune', '--yes', ...words]);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toContain(`would delete ${bound + 1} neuron`);
    expect(rejected.stderr).toContain(`pass --max-deletions ${bound + 1}.`);
    expect(await storedNames(ports)).toEqual(['acme', ...olds]);
    const kept = yaml(organization('acme'), neuron('acme/old-0'));
    expect((await apply(ports, kept, ['--prune', '--yes', ...words])).exitCode).toBe(0);
    expect(await storedNames(ports)).toEqual(['acme', 'acme/old-0']);
  });

  it('refuses --max-deletions without --prune, and what is no number', async () => {
    const ports = await stored();
    const alone = await apply(ports, organization('acme'), ['--max-deletions', '1']);
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toContain('--max-deletions has no effect without --prune.');
    for (const text of ['-1', 'all', '1.5', '']) {
      const words = ['--prune', `--max-deletions=${text}`];
      expect((await apply(ports, organization('acme'), words)).exitCode).toBe(2);
    }
  });
});

describe('neuron apply --check', () => {
  it('tells of what is stored and not in the files, which is no change without --prune', async () => {
    const ports = await stored();
    const files = yaml(organization('acme'), neuron('acme/one'), neuron('acme/two'));
    const told = await apply(ports, files, ['--check']);
    expect(told).toMatchObject({ exitCode: 0, stdout: '' });
    expect(told.stderr).toBe(
      [
        'acme/three is stored but not in these files; --prune deletes it.',
        'Organization other is stored but not in these files; apply leaves it alone.',
        'Nothing to change.',
        '',
      ].join('\n'),
    );
    const pruned = await apply(ports, files, ['--check', '--prune']);
    expect(pruned).toMatchObject({ exitCode: 1, stdout: '- neuron acme/three\n' });
    expect(await storedNames(ports)).toEqual(NAMES);
  });

  it('exits with 1 where another version is deployed than that of the file', async () => {
    const ports = await stored();
    const files = yaml(
      organization('other'),
      neuron('other/theirs').replace('stop: {}', 'stop: { text: x }'),
    );
    await apply(ports, files, ['--no-deploy']);
    const behind = await apply(ports, files, ['--check']);
    expect(behind).toMatchObject({ exitCode: 1, stdout: '' });
    expect(behind.stderr).toContain('other/theirs: v1 is deployed, the newest is v2; --deploy deploys it, ');
    expect((await apply(ports, files, ['--check', '--no-deploy'])).exitCode).toBe(0);
    expect((await apply(ports, files, ['--dry-run'])).exitCode).toBe(0);
    await runWith(ports, ['versions', 'undeploy', 'other/theirs', '--yes']);
    const none = await apply(ports, files, ['--check']);
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain('other/theirs: no version is deployed, the newest is v2;');
    await apply(ports, files, ['--deploy']);
    expect((await apply(ports, files, ['--check'])).exitCode).toBe(0);
  });

  it('does not compare versions where the file has no flow', async () => {
    const ports = await stored();
    await runWith(ports, ['versions', 'undeploy', 'other/theirs', '--yes']);
    const files = yaml(organization('other'), 'neuron: other/theirs\naccess: { apiKey: true }\n');
    expect((await apply(ports, files, ['--check'])).exitCode).toBe(0);
  });
});
