// `neuron apply` and `neuron validate`: files in, diagnostics or changes out, and nothing written too early.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROXY_START, START, START_FILE } from '../../../cli/init/init.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const ACME = 'organization: acme\nproviders: { demo: { type: echo } }\n';
const neuron = (instructions = 'One.', slug = 'hello') =>
  `neuron: acme/${slug}\naccess: { apiKey: true }\nflow:\n  - systemInstructions: ${instructions}\n  - callModel: { provider: demo, model: m }\n`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs a command where the files are. */
function runIn(ports: MemoryPorts, files: Readonly<Record<string, string>>, words: readonly string[]) {
  return runWith(ports, words, { folder: folderWith(files) });
}

const lines = (text: string) => text.trimEnd().split('\n');

async function hello(ports: MemoryPorts) {
  const organization = await ports.store.readOrganization('acme');
  return organization && ports.store.readNeuron(organization, 'hello');
}

describe('neuron apply', () => {
  it('creates what is new, reports it, and finds nothing to change the second time', async () => {
    const ports = createMemoryPorts();
    const files = { 'a.yaml': ACME, 'below/b.yml': neuron(), 'note.txt': 'not: settings: at all' };
    expect(await runIn(ports, files, ['apply', '.'])).toEqual({
      exitCode: 0,
      hidden: [],
      stdout: 'Created organization acme\nCreated neuron acme/hello: version v1, deployed\n',
      stderr:
        'Streaming: acme/hello sends text as the model writes.\n+ organization acme\n+ neuron acme/hello: version v1, deployed\nTakes effect within 15 s.\n',
    });
    expect(await hello(ports)).toMatchObject({
      deployment: { version: 'v1', number: 1 },
      updatedBy: 'arn:aws:iam::123456789012:user/ada',
    });
    expect(await runIn(ports, files, ['apply', '.'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'Nothing to change.\n',
    });
  });

  it('accepts what show prints without a change', async () => {
    const ports = createMemoryPorts();
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron('"two\\nlines"')}` }, ['apply', 'a.yaml']);
    const shown = (await runWith(ports, ['show', 'acme'])).stdout;
    expect((await runIn(ports, { 'shown.yaml': shown }, ['apply', '--check', 'shown.yaml'])).exitCode).toBe(
      0,
    );
  });

  it('shows the difference with --dry-run and --check, writes nothing, and --check ends with 1', async () => {
    const ports = createMemoryPorts();
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron()}` }, ['apply', '.']);
    const changed = { 'a.yaml': neuron('Two.') };
    const shown = await runIn(ports, changed, ['apply', '--dry-run', '.']);
    expect(shown).toMatchObject({
      exitCode: 0,
      stderr: 'Streaming: acme/hello sends text as the model writes.\n',
    });
    expect(lines(shown.stdout)).toEqual([
      '~ neuron acme/hello: version v2, deployed',
      '       apiKey: true',
      '     flow:',
      '    -  - systemInstructions: One.',
      '    +  - systemInstructions: Two.',
      '       - callModel:',
      '           provider: demo',
    ]);
    expect((await runIn(ports, changed, ['apply', '--check', '.'])).exitCode).toBe(1);
    expect((await runIn(ports, changed, ['apply', '--check', '--json', '.'])).stdout).toBe(
      '{"change":"update_neuron","organization":"acme","neuron":"hello","version":"v2","deploys":"v2"}\n',
    );
    expect((await hello(ports))?.latestVersion).toBe(1);
  });

  it('deploys a changed flow, only with --deploy an unchanged one, and never with --no-deploy', async () => {
    const ports = createMemoryPorts();
    const deployed = async () => (await hello(ports))?.deployment;
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron()}` }, ['apply', '.']);
    const changed = { 'a.yaml': neuron('Two.') };
    const kept = await runIn(ports, changed, ['apply', '--no-deploy', '.']);
    expect(kept.stdout).toBe('Updated neuron acme/hello: version v2\n');
    expect(kept.stderr).not.toContain('Takes effect');
    expect(await deployed()).toEqual({ version: 'v1', number: 1 });
    const again = await runIn(ports, changed, ['apply', '.']);
    expect(again.stderr).toBe(
      'acme/hello: v1 is deployed, the newest is v2; --deploy deploys it, `neuron versions deploy acme/hello v1 --hold REASON` keeps v1.\nNothing to change.\n',
    );
    const moved = await runIn(ports, changed, ['apply', '--deploy', '.']);
    expect(moved.stdout).toBe('Updated neuron acme/hello: v2 deployed\n');
    expect(await deployed()).toEqual({ version: 'v2', number: 2 });
  });

  it('leaves what is not in the files, and deletes it with --prune after confirmation', async () => {
    const ports = createMemoryPorts();
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron()}---\n${neuron('One.', 'old')}` }, ['apply', '.']);
    const files = { 'a.yaml': `${ACME}---\n${neuron()}` };
    expect((await runIn(ports, files, ['apply', '.'])).stderr).toBe('Nothing to change.\n');
    const rejected = await runIn(ports, files, ['apply', '--prune', '.']);
    expect(rejected.exitCode).toBe(2);
    expect(rejected.stderr).toContain('- neuron acme/old\n');
    const pruned = await runIn(ports, files, ['apply', '--prune', '--yes', '.']);
    expect(pruned.stdout).toBe('Deleted neuron acme/old\n');
  });

  it('asks on a terminal, and writes nothing after a no', async () => {
    const ports = createMemoryPorts();
    const folder = folderWith({ 'a.yaml': ACME });
    const { exitCode, stderr } = await runWith(ports, ['apply', '.'], { folder, typed: ['n'] });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Apply 1 change to NeuronApi-test? [y/N]');
    expect(await ports.store.listOrganizations()).toEqual([]);
  });

  it('says how many changes were made when a write fails', async () => {
    const ports = createMemoryPorts();
    const writeNeuron = () => Promise.reject(new Error('the store is gone'));
    const failing = { ...ports, store: { ...ports.store, writeNeuron } };
    const { exitCode, stdout, stderr } = await runIn(failing, { 'a.yaml': `${ACME}---\n${neuron()}` }, [
      'apply',
      '.',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Created organization acme\n' });
    expect(stderr).toContain('warning: Applied 1 of 2 changes. Run the command again to apply the others.');
    expect(stderr).toContain('the store is gone');
  });

  it('names the neuron whose version someone else has created', async () => {
    const ports = createMemoryPorts();
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron()}` }, ['apply', '.']);
    const createVersion: typeof ports.store.createVersion = async (organization, version) => {
      await ports.store.createVersion(organization, version);
      await ports.store.createVersion(organization, version);
    };
    const raced = { ...ports, store: { ...ports.store, createVersion } };
    const { exitCode, stderr } = await runIn(raced, { 'a.yaml': neuron('Two.') }, ['apply', '.', '--yes']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('version v2 of neuron acme/hello was changed by someone else in the meantime');
  });

  it('reports all errors at once, before the first write, with file, line and column', async () => {
    const ports = createMemoryPorts();
    const { exitCode, stdout, stderr } = await runIn(
      ports,
      {
        'a.yaml': ACME,
        'b.yaml': 'neuron: acme/one\nnmae: X\n',
        'c.yaml': neuron().replace('provider: demo', 'provider: other'),
        'd.yaml': 'a: [1\n',
      },
      ['apply', '.'],
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('3 errors. Nothing was written.');
    for (const place of ['b.yaml:2:1:', 'c.yaml:5:', 'd.yaml:']) expect(stderr).toContain(place);
    expect(await ports.store.listOrganizations()).toEqual([]);
  });

  it('refuses a path that does not exist and a folder without settings', async () => {
    const ports = createMemoryPorts();
    expect((await runIn(ports, {}, ['apply', 'none.yaml'])).stderr).toContain('no file or folder none.yaml');
    expect((await runIn(ports, { 'x.txt': '' }, ['apply', '.'])).stderr).toContain('contains no .yaml');
    expect((await runIn(ports, {}, ['apply'])).exitCode).toBe(2);
  });

  it('refuses loopback addresses on AWS and allows them on a local run', async () => {
    const files = {
      'a.yaml':
        'organization: acme\nproviders: { near: { type: openai, baseUrl: "http://127.0.0.1:1/v1" } }\n',
    };
    const ports = createMemoryPorts();
    expect((await runIn(ports, files, ['apply', '.'])).exitCode).toBe(1);
    const local = { folder: '/', dynamodb: '', secretsmanager: '', logFolder: '/' };
    const near = { ...ports, stack: { ...ports.stack, local } };
    expect((await runIn(near, files, ['apply', '.'])).exitCode).toBe(0);
  });
});

describe('instructions from a file', () => {
  const fromFile = (file: string) => `${ACME}---\n${neuron(`{ file: "${file}", append: true }`)}`;

  it('become the text of the version', async () => {
    const ports = createMemoryPorts();
    const files = { 'a.yaml': fromFile('texts/one.md'), 'texts/one.md': 'From a file.\n' };
    expect((await runIn(ports, files, ['apply', 'a.yaml'])).exitCode).toBe(0);
    const stored = await ports.store.readVersion('acme', (await hello(ports))!.id, 'v1');
    expect(stored?.flow).toContainEqual({
      systemInstructions: { append: true, text: 'From a file.\n' },
    });
    expect((await runIn(ports, files, ['apply', 'a.yaml'])).stderr).toBe('Nothing to change.\n');
  });

  it('refuses a file outside the folder of the document, by path or by link, and one that is not there', async () => {
    const ports = createMemoryPorts();
    const folder = folderWith({
      'secret.md': 'geheim',
      'in/up.yaml': fromFile('../secret.md'),
      'in/absolute.yaml': fromFile('/etc/hostname'),
      'in/link.yaml': fromFile('link.md'),
      'in/none.yaml': fromFile('none.md'),
      'in/folder.yaml': fromFile('.'),
    });
    symlinkSync(join(folder, 'secret.md'), join(folder, 'in/link.md'));
    for (const [file, reason] of [
      ['up', 'must name a file in the folder of'],
      ['absolute', 'must name a file in the folder of'],
      ['link', 'is a symbolic link or below one'],
      ['none', 'there is no file none.md beside this one'],
      ['folder', '. is not a file'],
    ] as const) {
      const { exitCode, stderr } = await runWith(ports, ['apply', `in/${file}.yaml`], { folder });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`in/${file}.yaml:7:`);
      expect(stderr).toContain(reason);
      expect(stderr).not.toContain('geheim');
    }
  });
});

describe('neuron validate', () => {
  it('finds the file that init writes valid', async () => {
    const { exitCode, stdout, stderr } = await runIn(createMemoryPorts(), { [START_FILE]: START }, [
      'validate',
      '.',
    ]);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        'Valid: 2 documents in 1 file.\nStreaming: my-organization/hello sends text as the model writes.\n',
    });
  });

  it('finds the proxy that init writes valid', async () => {
    const { exitCode, stdout } = await runIn(createMemoryPorts(), { [START_FILE]: PROXY_START }, [
      'validate',
      '.',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  it('prints each diagnostic on a line, with control characters escaped, and exits with 1', async () => {
    const { exitCode, stdout, stderr } = await runIn(
      createMemoryPorts(),
      { 'a.yaml': 'organization: acme\n"b\\e[2J": 1\n' },
      ['validate', 'a.yaml'],
    );
    expect(exitCode).toBe(1);
    expect(lines(stdout)).toHaveLength(1);
    expect(stdout).toContain('error a.yaml:2:1:');
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toBe('Invalid: 1 error, 1 document in 1 file.\n');
  });

  it('prints a line of JSON per diagnostic, warnings included', async () => {
    const { exitCode, stdout } = await runIn(createMemoryPorts(), { 'a.yaml': neuron() }, [
      'validate',
      'a.yaml',
      '--json',
    ]);
    expect(exitCode).toBe(0);
    expect(lines(stdout).map((line) => JSON.parse(line))).toEqual([
      {
        severity: 'warning',
        file: 'a.yaml',
        line: 1,
        column: 1,
        path: 'neuron',
        message: 'the organization acme is not in these files, so its providers were not checked',
      },
    ]);
  });

  it('allows loopback addresses with --local only, and needs no local run for it', async () => {
    const files = {
      'a.yaml':
        'organization: acme\nproviders: { near: { type: openai, baseUrl: "http://127.0.0.1:1/v1" } }\n',
    };
    const ports = createMemoryPorts();
    expect((await runIn(ports, files, ['validate', '.'])).exitCode).toBe(1);
    expect((await runIn(ports, files, ['validate', '--local', '.'])).exitCode).toBe(0);
  });
});
