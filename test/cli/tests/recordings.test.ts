// Files of recordings: torn, foreign and unwritable ones, and those of calls that could not be made anew.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../../../cli/json/tests.ts';
import { parseJson } from '../../../core/text/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
prices: { demo/m: { input: 100, output: 100 } }
---
neuron: acme/support
flow: [{ callModel: { provider: demo, model: m, maxTokens: 10 } }]
`;
const HELLO = `tests: acme/support
cases: [{ name: a, input: Hi, repeat: 3, assert: [{ type: contains, value: Hi }] }]
`;
const FOLDER = '.neuron-recordings';
const FILE = join(FOLDER, 'tests.jsonl');

function folderWith(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), SETTINGS);
  writeFileSync(join(folder, 'tests.yaml'), HELLO);
  return folder;
}

const run = (folder: string, words: readonly string[] = [], environment = {}) =>
  runWith(createMemoryPorts(), ['test', '.', '--json', ...words], { folder, environment });
const CI = { CI: 'true' };
const versionOf = (stdout: string) => (parseJson(stdout) as TestReport).versions[0];
const linesOf = (folder: string) => readFileSync(join(folder, FILE), 'utf8').trimEnd().split('\n');

describe('a file of recordings', () => {
  it('is read in time where a killed process left its last line unfinished', async () => {
    const folder = folderWith();
    await run(folder);
    const [line = ''] = linesOf(folder);
    const others = Array.from({ length: 20_000 }, (_, at) =>
      line.replace(/"key":"[0-9a-f]{8}/, `"key":"${at.toString(16).padStart(8, '0')}`),
    );
    const torn = Buffer.from(`${[...linesOf(folder), ...others].join('\n')}\n{"key":"é`);
    // Within a character.
    writeFileSync(join(folder, FILE), torn.subarray(0, -1));
    const startedMs = performance.now();
    const { exitCode, stdout } = await run(folder, [], CI);
    expect([exitCode, versionOf(stdout)?.callsReplayed]).toEqual([0, 3]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('may have line ends of Windows, and an empty line', async () => {
    const folder = folderWith();
    await run(folder);
    writeFileSync(join(folder, FILE), `${linesOf(folder).join('\r\n')}\r\n\r\n`);
    expect(await run(folder, [], CI)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['a time beyond any call', (line: string) => line.replace(/"ms":\d+/, '"ms":9007199254740991')],
    ['a member more', (line: string) => line.replace('"ms":', '"__proto__":{},"ms":')],
    ['a list', () => '[]'],
    ['half a line', (line: string) => line.slice(0, 50)],
  ])('is refused by the place of a line with %s', async (_what, break_) => {
    const folder = folderWith();
    await run(folder);
    const [first = '', ...others] = linesOf(folder);
    writeFileSync(join(folder, FILE), `${[break_(first), ...others].join('\n')}\n`);
    const { exitCode, stderr } = await run(folder, [], CI);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('tests.jsonl:1 is no recording')]);
  });

  it.each([
    ['another form', { verdict: 'none' }],
    ['calls of tools that are none', { text: '', finish: 'toolCalls', toolCalls: [{ id: 1 }] }],
    ['tokens below nothing', { text: 'Hi', finish: 'stop', usage: { input: -1e9, output: 0 } }],
  ])('with answers of %s has none of these calls', async (_what, answer) => {
    const folder = folderWith();
    await run(folder);
    const foreign = linesOf(folder).map((line) => JSON.stringify({ ...JSON.parse(line), answer }));
    writeFileSync(join(folder, FILE), `${foreign.join('\n')}\n`);
    const { exitCode, stdout } = await run(folder, [], CI);
    expect([exitCode, versionOf(stdout)?.results[0]?.status]).toEqual([1, 'missing']);
    expect(await run(folder)).toMatchObject({ exitCode: 0 });
    expect(await run(folder, [], CI)).toMatchObject({ exitCode: 0 });
  });

  it('is sorted by the next run where a process was killed before it had, which leaves nothing beside it', async () => {
    const folder = folderWith();
    await run(folder);
    const sorted = linesOf(folder);
    writeFileSync(join(folder, FILE), `${sorted.toReversed().join('\n')}\n`);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const running = `tests.jsonl.${process.ppid}.tmp`;
    const others = ['tests.jsonl.tmp', 'tests.jsonl.1x.tmp', `other.jsonl.${ended}.tmp`, running];
    for (const name of [...others, `tests.jsonl.${ended}.tmp`, `tests.jsonl.${process.pid}.tmp`])
      writeFileSync(join(folder, FOLDER, name), 'half');
    expect(await run(folder, [], CI)).toMatchObject({ exitCode: 0 });
    expect(linesOf(folder)).toEqual(sorted.toReversed());
    expect(await run(folder)).toMatchObject({ exitCode: 0 });
    expect(linesOf(folder)).toEqual(sorted);
    expect(readdirSync(join(folder, FOLDER)).toSorted()).toEqual([...others, 'tests.jsonl'].toSorted());
  });

  it('that is a folder is named', async () => {
    const folder = folderWith();
    mkdirSync(join(folder, FILE), { recursive: true });
    const { exitCode, stderr } = await run(folder);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('tests.jsonl cannot be read.')]);
  });

  it('that cannot be written ends the run after the first calls, which says why', async () => {
    const folder = folderWith();
    writeFileSync(join(folder, FOLDER), '');
    const { exitCode, stdout, stderr } = await run(folder, ['--parallel', '1']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('tests.jsonl cannot be written, so no further call was made.');
  });
});

describe('--record all', () => {
  it.each([
    ['--repeat', '1'],
    ['--revision', 'v1'],
    ['--url', 'http://127.0.0.1:9/stage'],
  ])('with %s %s keeps the recordings of the calls that the whole run has', async (...narrowed) => {
    const folder = folderWith();
    await run(folder);
    const keys = () => linesOf(folder).map((line) => JSON.parse(line).key);
    const before = keys();
    const ports = createMemoryPorts();
    await runWith(ports, ['apply', 'a.yaml', '--yes'], { folder });
    const words = ['test', '.', '--json', '--record', 'all', ...narrowed];
    const { stdout, stderr } = await runWith(ports, words, { folder, environment: {} });
    expect([versionOf(stdout)?.runs, stderr]).toEqual([narrowed[0] === '--repeat' ? 1 : 3, '']);
    expect(keys()).toEqual(expect.arrayContaining(before));
    expect(await run(folder, [], CI)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('keeps the recordings of cases whose calls could not be made anew', async () => {
    const folder = folderWith();
    await run(folder);
    const before = linesOf(folder);
    const { stdout } = await run(folder, ['--record', 'all', '--max-cost', '0.0001']);
    expect(versionOf(stdout)?.results[0]?.status).toBe('maxCost');
    expect(linesOf(folder).map((line) => JSON.parse(line).key)).toEqual(
      before.map((line) => JSON.parse(line).key),
    );
    expect(await run(folder, [], CI)).toMatchObject({ exitCode: 0 });
  });
});
