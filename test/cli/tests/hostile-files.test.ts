// Tests files that are hostile, or many: each is refused by its place, or run in time.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../../../cli/json/tests.ts';
import { parseJson } from '../../../core/text/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
---
neuron: acme/support
flow: [{ callModel: { provider: demo, model: m } }]
`;
const caseOf = (name: string | number) =>
  `  - { name: "${name}", input: "Hi ${name}", assert: [{ type: contains, value: Hi }] }\n`;
const testsOf = (names: readonly (string | number)[], of = 'acme/support') =>
  `tests: ${of}\ncases:\n${names.map(caseOf).join('')}`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ 'a.yaml': SETTINGS, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const run = (folder: string, paths: readonly string[] = ['.'], words: readonly string[] = []) =>
  runWith(createMemoryPorts(), ['test', ...paths, '--json', ...words], { folder, environment: {} });

const BOMB = `a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from('bcdefghi', (name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]}`).join(', ')}]`).join('\n')}\n`;

describe('a tests file', () => {
  it.each([
    ['an anchor', testsOf(['a']).replace('input: ', 'input: &a '), 'tests.yaml:3'],
    ['an alias', `tests: acme/support\ncases: &c [*c]\n`, 'tests.yaml:2'],
    ['a merge', testsOf(['a']).replace('name:', '<<: { name: b }, name:'), 'tests.yaml:3'],
    ['a bomb of aliases', BOMB, 'tests.yaml:1'],
    ['a tag', testsOf(['a']).replace('input: ', 'input: !!js/function '), 'tests.yaml:3'],
    ['a member of a prototype', `${testsOf(['a'])}__proto__: { judge: acme/judge }\n`, 'tests.yaml:4'],
    ['a member twice', `tests: acme/support\n${testsOf(['a'])}`, 'tests.yaml:2'],
    ['1,001 cases', testsOf(Array.from({ length: 1_001 }, (_, at) => at)), 'tests.yaml:2'],
    ['half a million characters', testsOf(['x'.repeat(500_000)]), 'tests.yaml:1'],
    ['no case', 'tests: acme/support\ncases: []\n', 'tests.yaml:2'],
    ['a name twice', testsOf(['a', 'b', 'a']), 'tests.yaml:5'],
    [
      'a file as its value',
      testsOf(['a']).replace('value: Hi', 'value: "file:///etc/passwd"'),
      'tests.yaml:3',
    ],
    [
      'a template of nunjucks',
      testsOf(['a']).replace('value: Hi', "value: '{% set a = 1 %}'"),
      'tests.yaml:3',
    ],
  ])('with %s is refused by its place, and nothing is run', async (_what, text, place) => {
    const folder = folderWith({ 'tests.yaml': text });
    const startedMs = performance.now();
    const { exitCode, stdout, stderr } = await run(folder);
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining(place)]);
    expect(stderr).toContain('so nothing was run');
    expect(stderr.length).toBeLessThan(50_000);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(readdirSync(folder)).not.toContain('.neuron-recordings');
  });

  it.each([
    ['', 2],
    ['# nothing\n', 2],
    ['---\n---\n', 2],
    ['\u0000', 1],
  ])('of nothing, %j, has no tests', async (text, exitCode) => {
    const folder = folderWith({ 'tests.yaml': text });
    expect(await run(folder)).toMatchObject({ exitCode, stdout: '' });
    expect((await run(folder, ['tests.yaml'])).stderr).not.toContain('    at ');
  });

  it('for a neuron or an organization that is nowhere names it before a run', async () => {
    for (const target of ['acme/other', 'beta/support']) {
      const folder = folderWith({ 'tests.yaml': testsOf(['a'], target) });
      const { exitCode, stdout, stderr } = await run(folder);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain(target === 'acme/other' ? target : 'beta');
    }
  });

  it('may be one of several of a neuron, but not with the same case', async () => {
    const folder = folderWith({ 'one.yaml': testsOf(['a']), 'sub/two.yaml': testsOf(['b']) });
    expect(await run(folder)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(folder, 'sub/.neuron-recordings'))).toEqual(['two.jsonl']);
    expect(
      readFileSync(join(folder, '.neuron-recordings/one.jsonl'), 'utf8').trim().split('\n'),
    ).toHaveLength(1);
    writeFileSync(join(folder, 'sub/two.yaml'), testsOf(['a']));
    const { exitCode, stderr } = await run(folder);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('already at one.yaml:3')]);
    expect(await run(folder, ['a.yaml', 'sub/two.yaml'])).toMatchObject({ exitCode: 0 });
  });

  it('beside another of the same name keeps the recordings of both', async () => {
    const folder = folderWith({ 'tests.yaml': testsOf(['a']), 'tests.yml': testsOf(['b']) });
    const kept = () =>
      readFileSync(join(folder, '.neuron-recordings/tests.jsonl'), 'utf8').trim().split('\n');
    expect(await run(folder)).toMatchObject({ exitCode: 0 });
    expect(kept()).toHaveLength(2);
    expect(await run(folder, ['a.yaml', 'tests.yml'], ['--record', 'all'])).toMatchObject({ exitCode: 0 });
    expect(kept()).toHaveLength(2);
  });

  it('outside of the folder has its recordings beside it, and a name of a case leads nowhere', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'tests.yaml'), testsOf(['../../../a', '/etc/passwd']));
    const folder = folderWith({});
    symlinkSync(join(outside, 'tests.yaml'), join(folder, 'linked.yaml'));
    const { exitCode } = await run(folder, ['a.yaml', 'linked.yaml']);
    expect(readdirSync(outside)).toEqual(['tests.yaml']);
    expect(exitCode).toBe(0);
    expect(readdirSync(join(folder, '.neuron-recordings'))).toEqual(['linked.jsonl']);
  });
});

describe('2,000 cases', () => {
  it('are run from recordings in time and memory', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2 }, (_, file) => [
        `t${file}.yaml`,
        testsOf(Array.from({ length: 1_000 }, (_case, at) => `${file} ${at}`)),
      ]),
    );
    const folder = folderWith(files);
    const recorded = await run(folder, ['.'], ['--parallel', '64']);
    expect(recorded.exitCode).toBe(0);
    const [startedMs, before] = [performance.now(), process.memoryUsage().rss];
    const { exitCode, stdout } = await run(folder, ['.'], ['--record', 'none']);
    const report = parseJson(stdout) as TestReport;
    expect([exitCode, report.versions[0]?.callsReplayed]).toEqual([0, 2_000]);
    const [seconds, megabytes] = [
      (performance.now() - startedMs) / 1_000,
      (process.memoryUsage().rss - before) / 1e6,
    ];
    expect(seconds).toBeLessThan(60);
    expect(megabytes).toBeLessThan(1_000);
  }, 180_000);
});
