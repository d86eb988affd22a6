// `neuron apply --overlay` and `neuron validate --overlay`: one set of files for several stages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo }, old: { type: echo } }
---
neuron: acme/hello
access: { public: true }
flow: [{ systemInstructions: { file: text.md } }, { callModel: { provider: demo, model: small } }]
`;

function prepare(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({
    'neurons/a.yaml': SETTINGS,
    'neurons/text.md': 'Text of the settings.',
    ...files,
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const ports = createMemoryPorts();
  return { ports, run: (...args: string[]) => runWith(ports, args, { folder }) };
}

const FLOW =
  'flow: [{ systemInstructions: { file: text.md } }, { callModel: { provider: demo, model: large } }]';
const PROD = {
  'overlays/prod/a.yaml': `organization: acme\nproviders: { old: null }\n---\nneuron: acme/hello\n${FLOW}\n`,
  'overlays/prod/text.md': 'Text of production.',
};

describe('--overlay', () => {
  it('is merged before apply compares, and --check agrees with it alone', async () => {
    const { run } = prepare(PROD);
    expect((await run('apply', 'neurons', '--overlay', 'overlays/prod')).exitCode).toBe(0);
    const shown = await run('show', 'acme/hello');
    expect(shown.stdout).toContain('large');
    expect(shown.stdout).toContain('Text of production.');
    expect((await run('show', 'acme')).stdout).not.toContain('old');
    expect((await run('apply', 'neurons', '--overlay', 'overlays/prod', '--check')).exitCode).toBe(0);
    expect((await run('apply', 'neurons', '--check')).exitCode).toBe(1);
  });

  it('is merged in order where there are several', async () => {
    const { run } = prepare({
      'one.yaml': 'neuron: acme/hello\nname: One\n',
      'two.yaml': 'neuron: acme/hello\nname: Two\n',
    });
    await run('apply', 'neurons', '--overlay', 'one.yaml', '--overlay', 'two.yaml');
    expect((await run('show', 'acme/hello')).stdout).toContain('Two');
  });

  it.each([
    [
      'neuron: acme/helo\nname: X\n',
      'prod.yaml:1:1: changes `neuron: acme/helo`, which is not in the settings files',
    ],
    [
      'neuron: acme/hello\ndeadlin: 5s\n',
      'prod.yaml:2:1: has the unknown member deadlin (did you mean deadline?)',
    ],
    ['neuron: acme/hello\naccess: { public: 5 }\n', 'prod.yaml:2:11: access.public'],
    ['neuron: acme/hello\nname: [\n', 'prod.yaml:3:1: is not YAML'],
  ])('names its file where it is wrong: %j', async (text, error) => {
    const { run, ports } = prepare({ 'prod.yaml': text });
    const applied = await run('apply', 'neurons', '--overlay', 'prod.yaml');
    expect(applied.exitCode).toBe(1);
    expect(applied.stderr).toContain(error);
    expect(await ports.store.listOrganizations()).toEqual([]);
    const validated = await run('validate', 'neurons', '--overlay', 'prod.yaml');
    expect(validated.exitCode).toBe(1);
    expect(validated.stdout).toContain(error);
  });

  it.each([
    ['nowhere', 'There is no file or folder nowhere.'],
    ['neurons', 'is read already, as settings or as another overlay'],
  ])('stops at the path %s', async (path, error) => {
    const { run } = prepare({});
    const { exitCode, stderr } = await run('apply', 'neurons', '--overlay', path);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(error);
  });
});
