// `neuron test`: files that were never applied, from recordings, without a network.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestReport } from '../../../cli/json/tests.ts';
import { parseJson } from '../../../core/text/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';
import type { Surroundings } from '../memory-terminal.ts';

const settings = (prompt = 'Answer: {{input}}') => `organization: acme
providers: { demo: { type: echo } }
guards: { pii: { type: pii, entities: [email, card] }, words: { type: patterns, deny: [falcon] } }
---
neuron: acme/support
guards:
  - { use: pii, on: [input], action: mask }
  - { use: words, on: [input], action: block }
flow: [{ callModel: { provider: demo, model: m, prompt: ${JSON.stringify(prompt)} } }]
---
neuron: acme/other
variables: { tone: { type: string, enum: [brief, warm], default: brief } }
flow: [{ callModel: { provider: demo, model: m, prompt: '{{tone}} {{input}}' } }]
`;

const TESTS = `tests: acme/support
cases:
  - { name: masked, input: I am ann@example.com, assert: [{ type: contains, value: ann@example.com }] }
  - { name: blocked, input: about falcon, error: guard_blocked }
  - name: wrong
    input: hello
    repeat: 2
    assert: [{ type: contains, value: nowhere }, { type: icontains, value: HELLO, metric: words }]
`;

function folderWith(tests = TESTS, prompt?: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), settings(prompt));
  writeFileSync(join(folder, 'tests.yaml'), tests);
  return folder;
}

const CI = { environment: { CI: 'true' } };
const run = (folder: string, words: readonly string[] = [], around: Surroundings = {}) =>
  runWith(createMemoryPorts(), ['test', '.', ...words], { folder, ...around });
const recorded = (folder: string, name = 'tests') =>
  readFileSync(join(folder, `.neuron-recordings/${name}.jsonl`), 'utf8');
const reportOf = (stdout: string) => parseJson(stdout) as TestReport;

describe('neuron test', () => {
  it('runs files that were never applied, guards included, and says case by case what came of it', async () => {
    const folder = folderWith();
    const { exitCode, stdout } = await run(folder, ['--json']);
    expect(exitCode).toBe(1);
    const { passed, versions } = reportOf(stdout);
    expect(passed).toBe(false);
    expect(versions[0]?.results.map((one) => [one.case, one.status, one.passed, one.runs.length])).toEqual([
      ['masked', 'passed', 1, 1],
      ['blocked', 'passed', 1, 1],
      ['wrong', 'failed', 0, 2],
    ]);
    expect(versions[0]).toMatchObject({ version: 'files', runs: 4, runsPassed: 2, callsMade: 3 });
    expect(versions[0]?.results[0]?.runs[0]?.output).toBe('You said: Answer: I am ann@example.com');
    // The model, and so the recording, has the placeholder alone.
    expect(recorded(folder)).not.toContain('ann@example.com');
    expect(versions[0]?.metrics).toEqual({ words: 1 });
  });

  it('prints a table with the reason of each failure', async () => {
    const { stdout } = await run(folderWith());
    expect(stdout).toContain('acme/support · wrong');
    expect(stdout).toContain('contains: expected the output to contain "nowhere"');
    expect(stdout).toMatch(/files: 2 of 3 cases passed \[20 %, 94 %\], 2 of 4 runs/);
  });

  it('makes no call where CI is set, and prints the command that makes the missing ones', async () => {
    const folder = folderWith();
    const first = await run(folder, [], CI);
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toContain(
      '2 cases have calls without a recording: acme/support · masked, acme/support · wrong.',
    );
    expect(first.stderr).toContain('`neuron test . --record missing`');
    await run(folder);
    const second = await run(folder, ['--json'], CI);
    expect(reportOf(second.stdout).versions[0]).toMatchObject({ callsMade: 0, callsReplayed: 3 });
    expect(second.stderr).not.toContain('without a recording');
  });

  it('takes up where a stopped recording ended, and drops what no call has with --record all', async () => {
    const folder = folderWith();
    await run(folder);
    const file = join(folder, '.neuron-recordings/tests.jsonl');
    const lines = recorded(folder).trimEnd().split('\n');
    // The last line as a killed process leaves it.
    writeFileSync(file, `${lines[0]}\n${lines[1]?.slice(0, 40)}`);
    const again = await run(folder, ['--json']);
    expect(reportOf(again.stdout).versions[0]).toMatchObject({ callsReplayed: 1, callsMade: 2 });
    expect(recorded(folder).trimEnd().split('\n')).toHaveLength(3);
    writeFileSync(join(folder, 'a.yaml'), settings('Reply: {{input}}'));
    const changed = await run(folder);
    expect(changed.stderr).toContain('3 recordings are of no call of this run');
    expect(recorded(folder).trimEnd().split('\n')).toHaveLength(6);
    await run(folder, ['--record', 'all']);
    expect(recorded(folder).trimEnd().split('\n')).toHaveLength(3);
  });

  it('sends the variables of a case, which values of its assertions may name', async () => {
    const folder = folderWith(`tests: acme/other
cases:
  - { name: warm, input: hi, variables: { tone: warm }, assert: [{ type: equals, value: 'You said: {{tone}} hi' }] }
  - { name: default, input: hi, assert: [{ type: contains, value: brief hi }] }
  - { name: unknown, input: hi, variables: { tune: warm }, error: invalid_input }
`);
    expect(await run(folder)).toMatchObject({ exitCode: 0 });
  });

  it('rejects a line that is no recording', async () => {
    const folder = folderWith();
    await run(folder);
    const file = join(folder, '.neuron-recordings/tests.jsonl');
    writeFileSync(file, `<<<<<<< HEAD\n${recorded(folder)}`);
    const { exitCode, stderr } = await run(folder, [], CI);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('tests.jsonl:1 is no recording');
  });

  it('compares with a folder, whose recordings it reads, and says what may be chance', async () => {
    const [before, after] = [folderWith(TESTS, 'nowhere {{input}}'), folderWith()];
    await run(before);
    await run(after);
    const { stdout } = await run(after, ['--against', before, '--markdown', 'pr.md'], CI);
    expect(stdout).toContain(
      'files passes 1 case fewer: with 3 cases this may be chance (p = 1.00); at least 6 would have to change, all in one direction, to tell.',
    );
    const markdown = readFileSync(join(after, 'pr.md'), 'utf8');
    expect(markdown).toContain('| acme/support · wrong | passed 2/2 | **failed** | 0/2 |');
    expect(markdown).toContain('You said: nowhere hello');
  });

  it('writes JUnit, Markdown and JSON files; --json with a file is one', async () => {
    const folder = folderWith();
    const { stdout } = await run(folder, ['--junit', 'out.xml', '--json', 'out.json', '--repeat', '3']);
    expect(stdout).toContain('CASE');
    expect(readFileSync(join(folder, 'out.xml'), 'utf8')).toContain(
      '<testsuite name="support" package="acme"',
    );
    expect(reportOf(readFileSync(join(folder, 'out.json'), 'utf8')).versions[0]?.runs).toBe(9);
  });

  it.each([
    ['no tests', 'organization: beta\n', 2, 'There are no tests in .'],
    [
      'a case twice',
      TESTS + TESTS.replace('tests:', '---\ntests:'),
      1,
      'is the name of a case of acme/support already',
    ],
    ['code', TESTS.replace('type: contains', 'type: javascript'), 1, '"javascript" would run code'],
    [
      'a pattern of JavaScript alone',
      TESTS.replace('{ type: contains, value: ann@example.com }', "{ type: regex, value: '(?=a)' }"),
      1,
      'no look-around',
    ],
  ])('refuses %s', async (_what, tests, exitCode, why) => {
    const folder = folderWith(tests);
    const result = await run(folder);
    expect(result).toMatchObject({ exitCode });
    expect(result.stderr).toContain(why);
  });
});

describe('the tests of the examples', () => {
  it('pass from the recordings beside them, none of which is of no call', async () => {
    const folder = join(import.meta.dirname, '../../..');
    const words = ['--local', 'test', 'examples'];
    const { exitCode, stdout, stderr } = await runWith(createMemoryPorts(), words, { folder, ...CI });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('0 made');
    expect(stderr).toBe('');
  });
});

describe('200 cases of 3 runs from recordings', () => {
  let connect: ReturnType<typeof vi.spyOn>;
  beforeEach(() => {
    connect = vi.spyOn(Socket.prototype, 'connect');
  });
  afterEach(() => {
    connect.mockRestore();
  });

  const cases = Array.from(
    { length: 200 },
    (_, at) =>
      `  - { name: case ${at}, input: question ${at}, assert: [{ type: contains, value: question ${at} }, { type: not-regex, value: '\\d{9}' }] }`,
  );
  const many = `tests: acme/support\nrepeat: 3\ncases:\n${cases.join('\n')}\n`;
  const few =
    'tests: acme/other\ncases:\n  - { name: still, input: a, assert: [{ type: contains, value: a }] }\n';

  it('take at most 5 s, are equal byte by byte, and open no socket; a changed word misses its cases alone', async () => {
    const folder = folderWith(many);
    writeFileSync(join(folder, 'other.yaml'), few);
    await run(folder, ['--parallel', '64']);
    connect.mockClear();
    const files = ['--junit', 'out.xml', '--markdown', 'out.md', '--json', 'out.json'];
    const read = () =>
      ['out.xml', 'out.md', 'out.json'].map((file) => readFileSync(join(folder, file), 'utf8'));
    const startedMs = performance.now();
    const first = await run(folder, files, CI);
    const tookMs = performance.now() - startedMs;
    const before = read();
    const second = await run(folder, files, CI);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(tookMs).toBeLessThan(5_000);
    expect(second).toEqual(first);
    expect(read()).toEqual(before);
    expect(reportOf(before[2] ?? '').versions[0]).toMatchObject({
      runs: 601,
      runsPassed: 601,
      callsReplayed: 601,
    });
    expect(connect).not.toHaveBeenCalled();

    writeFileSync(join(folder, 'a.yaml'), settings('Reply: {{input}}'));
    const changed = await run(folder, ['--json'], CI);
    const statuses = Map.groupBy(reportOf(changed.stdout).versions[0]?.results ?? [], ({ status }) => status);
    expect(statuses.get('missing')?.every(({ tests }) => tests === 'acme/support')).toBe(true);
    expect([statuses.get('missing')?.length, statuses.get('passed')?.map((one) => one.case)]).toEqual([
      200,
      ['still'],
    ]);
    expect(changed.stderr).toContain('`neuron test . --record missing`');
    rmSync(join(folder, '.neuron-recordings'), { recursive: true });
    expect((await run(folder, [], CI)).stderr).toContain('201 cases have calls without a recording');
  }, 60_000);
});
