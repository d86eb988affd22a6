// Options of `neuron test` in pairs, and tests files that are hostile or many: each works or is refused by a sentence.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../adapters/platform/clock.ts';
import type { TestReport } from '../../../cli/json/tests.ts';
import { parseJson } from '../../../core/text/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
prices: { demo/m: { input: 1, output: 1 } }
---
neuron: acme/support
variables: { tone: { type: string, enum: [brief, warm], default: brief } }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 10, prompt: '{{tone}} {{input}}' } }]
`;
const caseOf = (name: string) =>
  `  - { name: ${name}, input: Hi, variables: { tone: warm }, assert: [{ type: contains, value: Hi }] }`;
const TESTS = `tests: acme/support\ncases:\n${caseOf('a')}\n`;

/** A stage that answers every call. */
const server = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.setHeader('X-Cost-Microdollars', '1');
  response.end('{"output":"Hi.","fromCache":false,"executionStopped":false}');
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stage`;
});
afterAll(() => server.close());

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ 'a.yaml': SETTINGS, 'tests.yaml': TESTS, ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}

/** Settings that were applied twice: v1, which declares no variable, then v2. */
async function deployed() {
  const ports = createMemoryPorts();
  const without = SETTINGS.replace(/variables.*\n/, '').replace('{{tone}} ', '');
  for (const text of [without, SETTINGS]) {
    const folder = folderWith({ 'a.yaml': text });
    await runWith(ports, ['apply', 'a.yaml', '--yes'], { folder });
  }
  return ports;
}

const OPTIONS: Readonly<Record<string, () => readonly string[]>> = {
  overlay: () => ['--overlay', 'over/o.yaml'],
  revision: () => ['--revision', 'v2'],
  against: () => ['--against', 'deployed'],
  repeat: () => ['--repeat', '2'],
  'record all': () => ['--record', 'all'],
  'record none': () => ['--record', 'none'],
  parallel: () => ['--parallel', '3'],
  'max-cost': () => ['--max-cost', '0.5'],
  url: () => ['--url', url],
  junit: () => ['--junit', 'out.xml'],
  markdown: () => ['--markdown', 'out.md'],
  'json-file': () => ['--json-file', 'out.json'],
  json: () => ['--json'],
};
const names = Object.keys(OPTIONS);
const PAIRS = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));

/** Pairs of which one would mean nothing, by the refusal. */
const REFUSED: Readonly<Record<string, string>> = {
  'against url': 'error: --url and --against were both given.\n  Pass one of them: at an address',
  'overlay url': 'error: --url and --overlay were both given.\n',
};
const REPORTS = ['junit', 'markdown', 'json-file'];

describe('a pair of options', () => {
  it.each(PAIRS)('%s and %s', async (one, other) => {
    const folder = folderWith();
    mkdirSync(join(folder, 'over'));
    writeFileSync(join(folder, 'over/o.yaml'), 'neuron: acme/support\nmaxInputBytes: 1000\n');
    const both = [one, other].flatMap((name) => OPTIONS[name]?.() ?? []);
    const environment = { NEURON_API_KEY: 'nrn_key', NEURON_PREVIEW_KEY: 'preview' };
    const words = ['test', 'a.yaml', 'tests.yaml', ...both];
    const { exitCode, stdout, stderr } = await runWith(await deployed(), words, { folder, environment });
    const refusal = REFUSED[`${one} ${other}`];
    if (refusal !== undefined) {
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(refusal)]);
      return;
    }
    const isNone = [one, other].includes('record none');
    expect([exitCode, stderr]).toEqual(isNone ? [1, expect.stringContaining('--record missing`')] : [0, '']);
    const reports = [one, other].filter((name) => REPORTS.includes(name)).map((name) => OPTIONS[name]?.()[1]);
    expect(readdirSync(folder).filter((name) => name.startsWith('out.'))).toEqual(reports.toSorted());
    if (![one, other].includes('json')) return expect(stdout).toContain('acme/support · a');
    const { versions } = parseJson(stdout) as TestReport;
    expect([versions.length, versions[0]?.runs]).toEqual([
      one === 'against' ? 2 : 1,
      one === 'repeat' ? 2 : 1,
    ]);
  });

  it('of reports in one file is refused before a call is made', async () => {
    const folder = folderWith();
    for (const [one = '', other = ''] of [
      ['junit', 'markdown'],
      ['junit', 'json-file'],
      ['markdown', 'json-file'],
    ]) {
      const words = ['test', '.', `--${one}`, 'out.txt', `--${other}`, './out.txt'];
      expect(await runWith(createMemoryPorts(), words, { folder })).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('Two reports would be written to ./out.txt.'),
      });
    }
    expect(readdirSync(folder).toSorted()).toEqual(['a.yaml', 'tests.yaml']);
  });
});

describe('progress', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is printed on a terminal alone, since it depends on the time', async () => {
    let nowMs = 0;
    vi.spyOn(systemClock, 'now').mockImplementation(() => {
      nowMs += 3_000;
      return nowMs;
    });
    const folder = folderWith();
    const onTerminal = await runWith(createMemoryPorts(), ['test', '.'], { folder, typed: [] });
    expect(onTerminal).toMatchObject({ exitCode: 0, stderr: '1 of 1 runs\n' });
    const elsewhere = await runWith(createMemoryPorts(), ['test', '.'], { folder });
    expect(elsewhere).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('--against', () => {
  it('a version without the variable compares nothing, and says which cases are left out', async () => {
    const folder = folderWith();
    const { exitCode, stdout } = await runWith(await deployed(), ['test', '.', '--against', 'v1'], {
      folder,
    });
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/acme\/support · a +passed +no verdict 0\/1/),
    ]);
    expect(stdout).toContain('No case has a verdict on both sides, so there is nothing to compare.');
  });

  it.each([
    ['v9', 'acme/support has no version v9.'],
    ['nowhere', 'There is no file or folder nowhere.'],
    ['', 'It must not be empty.'],
    [' ', 'It must not be empty.'],
  ])('%j is refused before a call is made', async (against, why) => {
    const folder = folderWith();
    const words = ['test', '.', '--against', against];
    const { exitCode, stdout, stderr } = await runWith(await deployed(), words, { folder });
    expect([exitCode > 0, stdout, stderr]).toEqual([true, '', expect.stringContaining(why)]);
    expect(readdirSync(folder).toSorted()).toEqual(['a.yaml', 'tests.yaml']);
  });
});
