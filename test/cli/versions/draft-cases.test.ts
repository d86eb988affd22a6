// `neuron versions try --cases`: the same cases on a draft and on the deployed version, within a budget.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { TestReport } from '../../../cli/json/tests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
prices: { demo/echo-1: { input: 10, output: 10 } }
---
neuron: acme/hello
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1, maxTokens: 50, prompt: 'Please, be kind: {{input}}' } }]
`;
const DRAFT = `flow: [{ callModel: { provider: demo, model: echo-1, maxTokens: 50, prompt: 'Please be kind: {{input}}' } }]
`;

/** Every third one is about the comma, which the draft has not; one fails on both sides. */
function casesOf(count: number, neuron = 'acme/hello'): string {
  const list = Array.from({ length: count }, (_, at) => {
    const value = at % 3 === 0 ? 'Please, be' : at === 4 ? 'never' : `Case ${at}`;
    return `  - { name: case ${at}, input: Case ${at}, assert: [{ type: contains, value: '${value}' }] }`;
  });
  return `tests: ${neuron}\nrepeat: 5\ncases:\n${list.join('\n')}\n`;
}

let ports: MemoryPorts;
let folder: string;

beforeEach(async () => {
  ports = createMemoryPorts();
  folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), SETTINGS);
  writeFileSync(join(folder, 'draft.yaml'), DRAFT);
  const applied = await runWith(ports, ['apply', 'a.yaml', '--yes'], { folder });
  expect(applied.exitCode, applied.stderr).toBe(0);
});

const tryWith = (words: readonly string[], piped?: string) =>
  runWith(ports, ['versions', 'try', 'acme/hello', ...words], piped === undefined ? { folder } : { piped });
const report = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as TestReport;

it('runs each case once on both, with verdict, cost and time, and says what is to be made of it', async () => {
  writeFileSync(join(folder, 'cases.yaml'), casesOf(12));
  const ran = await tryWith(['--flow', 'draft.yaml', '--cases', 'cases.yaml', '--json']);
  expect(ran).toMatchObject({ exitCode: 1, stderr: '' });
  const { versions, comparison } = report(ran);
  expect(versions.map(({ version, cases, casesPassed }) => [version, cases, casesPassed])).toEqual([
    ['draft', 10, 5],
    ['v1', 10, 9],
  ]);
  for (const { results } of versions)
    for (const { runs } of results) {
      expect(runs).toHaveLength(1);
      expect(runs[0]?.costMicrodollars).toBeGreaterThan(0);
      expect(runs[0]?.latencyMs).toBeGreaterThanOrEqual(0);
    }
  expect(comparison).toMatchObject({
    ...{ before: 'v1', after: 'draft', cases: 10, gained: [], p: 0.125 },
    sentence: expect.stringMatching(/^draft passes 4 cases fewer: with 10 cases this may be chance/),
  });
  const shown = await tryWith(['--flow', 'draft.yaml', '--cases', 'cases.yaml', '--limit', '4']);
  expect(shown.stdout).toContain('draft passes 2 cases fewer');
  expect(shown.stdout).not.toContain('case 4');
});

it('makes a call that both make alike once', async () => {
  const { stdout } = await runWith(ports, ['versions', 'show', 'acme/hello', 'v1']);
  const ran = await tryWith(['--flow', '-', '--cases', '-', '--json'], `${stdout}---\n${casesOf(2)}`);
  const { versions } = report(ran);
  expect(versions.map(({ callsMade, callsReplayed }) => callsMade + callsReplayed)).toEqual([2, 2]);
  expect(versions.map(({ callsMade }) => callsMade).reduce((one, other) => one + other)).toBe(2);
});

it('takes flow and cases from standard input, and counts the lines of each', async () => {
  const ran = await tryWith(
    ['--flow', '-', '--cases', '-', '--json'],
    `# mine\n---\n${DRAFT}---\n${casesOf(1)}`,
  );
  expect(report(ran).versions.map(({ version }) => version)).toEqual(['draft', 'v1']);
  const wrong = await tryWith(
    ['--flow', '-', '--cases', '-'],
    `${DRAFT}\n---\ntests: acme/hello\ncases: [{ name: a, input: b }]\n`,
  );
  expect(wrong).toMatchObject({ exitCode: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/cases:2:\d+: cases\[0\]/);
});

it('stops at the budget, and takes no case without a verdict for one that failed', async () => {
  writeFileSync(join(folder, 'cases.yaml'), casesOf(4));
  const words = ['--flow', 'draft.yaml', '--cases', 'cases.yaml', '--json'];
  const none = report(await tryWith([...words, '--max-cost', '0']));
  expect(none.versions.flatMap(({ results }) => results.map(({ status }) => status))).toEqual(
    Array(8).fill('maxCost'),
  );
  expect(none.versions.map(({ callsMade }) => callsMade)).toEqual([0, 0]);
  expect(none.comparison?.sentence).toContain('nothing to compare');
  const some = report(await tryWith([...words, '--max-cost', '0.002']));
  const spent = some.versions.map(({ costMicrodollars }) => costMicrodollars ?? Number.NaN);
  expect(some.versions.map(({ callsMade }) => callsMade).reduce((one, other) => one + other)).toBeGreaterThan(
    0,
  );
  expect(spent.reduce((one, other) => one + other)).toBeLessThanOrEqual(2_000);
  expect(some.versions[1]?.results.map(({ status }) => status)).toContain('maxCost');
});

it('runs on the deployed version alone without a draft, and beside it on another version', async () => {
  writeFileSync(join(folder, 'cases.yaml'), casesOf(1));
  await runWith(ports, ['versions', 'save', 'acme/hello', '--flow', '-', '--message', 'x'], { piped: DRAFT });
  const labels = async (...words: readonly string[]) =>
    report(await tryWith([...words, '--cases', 'cases.yaml', '--json'])).versions.map(
      ({ version }) => version,
    );
  expect([await labels(), await labels('v1'), await labels('v2')]).toEqual([['v1'], ['v1'], ['v2', 'v1']]);
  await runWith(ports, ['versions', 'undeploy', 'acme/hello', '--yes']);
  expect(await labels('--flow', 'draft.yaml')).toEqual(['draft']);
});

it.each([
  [['--cases', '-', '--input', 'a'], 2, 'Pass one of them.'],
  [['--limit', '3', '--input', 'a'], 2, '--limit and --max-cost are options of --cases.'],
  [['--max-cost', '1', '--input', 'a'], 2, '--limit and --max-cost are options of --cases.'],
  [['--cases', '-', '--limit', '101'], 2, 'a whole number from 1 to 100'],
  [['--cases', '-', '--limit', '0'], 2, 'a whole number from 1 to 100'],
  [['--cases', '-'], 1, 'There are no cases of acme/hello in standard input.'],
  [['--cases', 'gone.yaml'], 1, 'There is no file or folder gone.yaml.'],
])('refuses %j', async (words, exitCode, what) => {
  const ran = await tryWith(words, casesOf(1, 'rival/other'));
  expect(ran).toMatchObject({ exitCode, stdout: '' });
  expect(ran.stderr).toContain(what);
});

it('uses nothing of settings that stand beside the cases', async () => {
  const others = SETTINGS.replace('be kind', 'be rude');
  const ran = await tryWith(['--cases', '-', '--json'], `${casesOf(1)}---\n${others}`);
  expect(report(ran).versions[0]?.results[0]?.runs[0]?.output).toContain('be kind');
});
