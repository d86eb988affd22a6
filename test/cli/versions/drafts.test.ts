// `neuron versions try` and `save`: a flow runs before it is a version, and becomes one that is not deployed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { VersionRun } from '../../../cli/json/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
prices: { demo/echo-1: { input: 10, output: 10 } }
guards: { words: { type: patterns, deny: [falcon] } }
---
neuron: acme/hello
access: { apiKey: true }
maxInputBytes: 40
rateLimits: [{ metric: requests, scope: user, limit: 1, period: 1m }]
guards: [{ use: words, on: [input], action: block }]
variables: { tone: { type: string, enum: [brief, warm], default: brief } }
flow: [{ callModel: { provider: demo, model: echo-1, prompt: 'As applied, {{tone}}: {{input}}' } }]
`;
const DRAFT = `variables: { tone: { type: string, enum: [brief, warm], default: brief } }
flow: [{ callModel: { provider: demo, model: echo-1, prompt: 'As drafted, {{tone}}: {{input}}' } }]
`;

let ports: MemoryPorts;

beforeEach(async () => {
  ports = createMemoryPorts();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), SETTINGS);
  const applied = await runWith(ports, ['apply', 'a.yaml', '--yes'], { folder });
  expect(applied.exitCode, applied.stderr).toBe(0);
});

const tryWith = (words: readonly string[], piped?: string) =>
  runWith(ports, ['versions', 'try', 'acme/hello', ...words], piped === undefined ? {} : { piped });
const save = (piped: string, ...words: readonly string[]) =>
  runWith(ports, ['versions', 'save', 'acme/hello', '--flow', '-', '--message', 'A try', ...words], {
    piped,
  });
const read = async () => {
  const organization = await ports.store.readOrganization('acme');
  const neuron = organization && (await ports.store.readNeuron(organization, 'hello'));
  if (neuron === undefined) throw new Error('acme/hello is gone');
  return { neuron, versions: await ports.store.listVersions('acme', neuron.id) };
};

describe('neuron versions try', () => {
  it('runs a draft and the deployed version on the same input, with cost and time, and leaves nothing behind', async () => {
    const before = await read();
    const words = ['--input', 'Hi, there', '--json'];
    const [deployed, draft] = [await tryWith(words), await tryWith(['--flow', '-', ...words], DRAFT)];
    const [one, other] = [deployed, draft].map(({ stdout }) => JSON.parse(stdout) as VersionRun);
    expect(one).toMatchObject({ neuron: 'acme/hello', version: 'v1', code: null, reason: null });
    expect(one?.output).toContain('As applied, brief: Hi, there');
    expect(other).toMatchObject({ version: null, code: null });
    expect(other?.output).toContain('As drafted, brief: Hi, there');
    expect(other?.tokensInput).toBeGreaterThan(0);
    expect(other?.costMicrodollars).toBe(10 * ((other?.tokensInput ?? 0) + (other?.tokensOutput ?? 0)));
    expect(other?.latencyMs).toBeGreaterThanOrEqual(0);
    expect(await read()).toEqual(before);
  });

  it('prints the output alone, and the rest beside it', async () => {
    const ran = await tryWith(['v1', '--input', 'Hi', '--var', 'tone=warm']);
    expect(ran.stdout).toContain('As applied, warm: Hi');
    expect(ran.stderr).toMatch(/^v1: \$0\.\d{6}, \d+ ms, \d+ tokens in and \d+ out$/m);
  });

  it('keeps the settings of the neuron: its guards block, and its bounds hold', async () => {
    for (const [input, code] of [
      ['On falcon', 'guard_blocked'],
      ['x'.repeat(41), 'input_too_large'],
    ] as const) {
      const ran = await tryWith(['--flow', '-', '--input', input, '--json'], DRAFT);
      expect(ran.exitCode).toBe(1);
      expect(JSON.parse(ran.stdout)).toMatchObject({ output: null, code, costMicrodollars: 0 });
    }
    const shown = await tryWith(['--flow', '-', '--input', 'On falcon'], DRAFT);
    expect(shown).toMatchObject({ exitCode: 1, stdout: '' });
    expect(shown.stderr).toContain('The run failed: guard_blocked');
  });

  it('warns of the draft, and not of what the settings have already', async () => {
    const organization = await ports.store.readOrganization('acme');
    const { neuron } = await read();
    const document = { ...(neuron.document as object), access: { public: true }, rateLimits: [] };
    await ports.store.writeNeuron(organization?.slug ?? '', { ...neuron, document }, neuron.write);
    const draft = DRAFT.replace('{{tone}}', 'a tone');
    const ran = await tryWith(['--flow', '-', '--input', 'Hi'], draft);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('access.public');
    expect(ran.stderr).toMatch(/standard input:1:\d+: variables\.tone: is in no text of the flow/);
  });

  it('runs a conversation', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'm.json'), '[{ "role": "user", "content": "Good day" }]');
    writeFileSync(join(folder, 'flow.yaml'), 'flow: [{ callModel: { provider: demo, model: echo-1 } }]\n');
    const words = ['versions', 'try', 'acme/hello', '--flow', 'flow.yaml', '--messages', 'm.json'];
    expect((await runWith(ports, words, { folder })).stdout).toContain('Good day');
  });

  it.each([
    [[], 'There is no input.'],
    [['v1', '--flow', '-', '--input', 'a'], '--flow and v1 were both given.'],
    [['--flow', '-', '--messages', '-'], 'cannot both come from standard input'],
    [['--flow', '-', '--input', 'a'], 'There is no flow on standard input.'],
    [['--messages', '-', '--input', 'a'], 'Pass one of them.'],
  ])('refuses %j', async (words, what) => {
    const ran = await tryWith(words, '');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(what);
  });

  it('says that nothing is deployed', async () => {
    await runWith(ports, ['versions', 'undeploy', 'acme/hello', '--yes']);
    const ran = await tryWith(['--input', 'Hi']);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('No version of acme/hello is deployed.');
  });
});

describe('a draft that apply would refuse', () => {
  it.each([
    ['flow: [{ callModel: { provider: nobody, model: m } }]', /standard input:1:\d+: flow\[0\].*nobody/],
    ['variables: {}', /must have `flow`/],
    ['- flow', /must have `flow`/],
    ['flow: [', /is not YAML/],
    [`${DRAFT}---\n${DRAFT}`, /is a second document/],
    [`${DRAFT}access: { public: true }\n`, /access: is no part of a version/],
    [`${DRAFT}neuron: acme/other\n`, /neuron: is no part of a version/],
    [`${DRAFT}organization: acme\n`, /organization: is no part of a version/],
    ['flow: [{ systemInstructions: { file: a.yaml } }]', /is not read for a flow on standard input/],
  ])('is neither run nor saved: %j', async (draft, why) => {
    const before = await read();
    for (const ran of [await tryWith(['--flow', '-', '--input', 'Hi'], draft), await save(draft)]) {
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ran.stderr).toMatch(why);
    }
    expect(await read()).toEqual(before);
  });
});

describe('neuron versions save', () => {
  it('makes a version with its message, deploys nothing and changes no settings', async () => {
    const before = await read();
    const ran = await save(DRAFT, '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({
      ...{ change: 'update_neuron', organization: 'acme', neuron: 'hello' },
      ...{ version: 'v2', deploys: null },
    });
    expect(ran.stderr).toContain('`neuron versions deploy acme/hello v2` deploys it');
    const { neuron, versions } = await read();
    expect(neuron.document).toEqual(before.neuron.document);
    expect(neuron).toMatchObject({ latestVersion: 2, deployment: before.neuron.deployment });
    expect(versions[0]).toMatchObject({
      ...{ id: 'v2', message: 'A try', author: 'arn:aws:iam::123456789012:user/ada' },
    });
    const shown = await runWith(ports, ['versions', 'show', 'acme/hello', 'v2']);
    expect(shown.stdout).toContain('As drafted, {{tone}}');
  });

  it('makes none where the newest has the flow already', async () => {
    await save(DRAFT);
    const again = await save(DRAFT);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    expect(again.stderr).toContain('The newest version of acme/hello, v2, has this flow already.');
    expect((await read()).versions).toHaveLength(2);
  });

  it('reads the flow that versions show prints', async () => {
    const { stdout } = await runWith(ports, ['versions', 'show', 'acme/hello', 'v1']);
    expect((await save(stdout)).stderr).toContain('v1, has this flow already');
  });

  it('asks for a flow and a message', async () => {
    const words = ['versions', 'save', 'acme/hello'];
    expect((await runWith(ports, [...words, '--message', 'x'])).stderr).toContain('There is no flow.');
    expect((await runWith(ports, [...words, '--flow', '-'])).stderr).toContain('There is no message.');
  });

  it('loses to a change of the settings that was made meanwhile', async () => {
    const write = ports.store.createVersion.bind(ports.store);
    const store = {
      ...ports.store,
      async createVersion(...version: Parameters<typeof write>) {
        await write(...version);
        const { neuron } = await read();
        await ports.store.writeNeuron(
          'acme',
          { ...neuron, document: { neuron: 'acme/hello' } },
          neuron.write,
        );
      },
    };
    const words = ['versions', 'save', 'acme/hello', '--flow', '-', '--message', 'A try'];
    const ran = await runWith({ ...ports, store }, words, { piped: DRAFT });
    expect(ran.exitCode).toBe(1);
    expect((await read()).neuron.document).toEqual({ neuron: 'acme/hello' });
  });
});
