// Results to standard output, messages to standard error, and questions before changes.
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../../cli/output/print.ts';
import { createMemoryTerminal, type Surroundings } from '../memory-terminal.ts';

const NONE = { json: false, quiet: false, yes: false, color: true };
const columns = [
  { head: 'NAME', cell: (item: { name: string; size: number }) => item.name },
  { head: 'SIZE', cell: (item: { name: string; size: number }) => item.size, align: 'right' as const },
];
const items = [
  { name: 'first', size: 7 },
  { name: 'b', size: 1200 },
];

function open(options: Partial<typeof NONE & { local: string }> = {}, around: Surroundings = {}) {
  const terminal = createMemoryTerminal(around);
  return { terminal, out: createOutput(terminal, { ...NONE, ...options }) };
}

describe('results', () => {
  it('are text, or one line of JSON with --json', () => {
    const text = open();
    text.out.value({ a: 1 }, 'a is 1');
    const json = open({ json: true });
    json.out.value({ a: 1 }, 'a is 1');
    expect(text.terminal.printed.stdout).toBe('a is 1\n');
    expect(json.terminal.printed.stdout).toBe('{"a":1}\n');
  });

  it('in lists are a table, or one object per line with --json', () => {
    const table = open();
    table.out.list(items, columns, 'none');
    const json = open({ json: true });
    json.out.list(items, columns, 'none');
    expect(table.terminal.printed.stdout).toBe('NAME   SIZE\nfirst     7\nb      1200\n');
    expect(json.terminal.printed.stdout).toBe('{"name":"first","size":7}\n{"name":"b","size":1200}\n');
  });

  it('are empty on standard output for an empty list', () => {
    const table = open();
    table.out.list([], columns, 'none here');
    const json = open({ json: true });
    json.out.list([], columns, 'none here');
    expect(table.terminal.printed).toEqual({ stdout: '', stderr: 'none here\n' });
    expect(json.terminal.printed).toEqual({ stdout: '', stderr: '' });
  });

  it('contain no control characters in tables', () => {
    const { terminal, out } = open();
    out.list([{ name: '\u001b[2Jred\nnext', size: 1 }], columns, 'none');
    expect(terminal.printed.stdout).toBe('NAME                    SIZE\n\\u{1b}[2Jred\\u{0a}next     1\n');
  });

  it('contain no control characters in JSON either, which stays JSON', () => {
    const { terminal, out } = open({ json: true });
    out.value({ text: '\u009b31m \u007f \u202e \n é' }, '');
    expect(terminal.printed.stdout).toBe('{"text":"\\u009b31m \\u007f \\u202e \\n é"}\n');
  });

  it.each([
    ['a terminal command of one character', 'a\u009b2Jb', 'a\\u{9b}2Jb'],
    ['a link or a title', 'a\u001b]8;;http://x\u0007b', 'a\\u{1b}]8;;http://x\\u{07}b'],
    ['an end of a line in Unicode', 'a\u0085\u2028b', 'a\\u{85}\\u{2028}b'],
    ['a turn of direction', 'a\u202egnp.exe', 'a\\u{202e}gnp.exe'],
    ['an isolate', '\u2067a\u2069', '\\u{2067}a\\u{2069}'],
    ['nothing to see', 'ad\u200bmi\u2060n\ufeff\u00ad', 'ad\\u{200b}mi\\u{2060}n\\u{feff}\\u{ad}'],
    ['joiners', 'ad\u200dmin\u200c', 'ad\\u{200d}min\\u{200c}'],
    ['a blank letter', 'ada\u3164', 'ada\\u{3164}'],
    ['a tag beyond the first plane', 'ada\u{e0041}', 'ada\\u{e0041}'],
    ['half of a pair', 'ada\ud83d', 'ada\\u{d83d}'],
  ])('show %s as code points in tables, and keep it in JSON', (_name, name, shown) => {
    const table = open();
    const json = open({ json: true });
    table.out.list([{ name, size: 1 }], [{ head: 'NAME', cell: (item) => item.name }], 'none');
    json.out.value({ name }, '');
    expect(table.terminal.printed.stdout).toBe(`NAME\n${shown}\n`);
    expect(JSON.parse(json.terminal.printed.stdout)).toEqual({ name });
    // Of what is not ASCII nothing is left as it was.
    expect(json.terminal.printed.stdout).toMatch(/^[ -~]*\n$/);
  });

  it('keep the joiners of scripts and emoji in texts', () => {
    const { terminal, out } = open({}, { typed: [] });
    out.raw('👩\u200d💻 می\u200cخواهم\u200f');
    expect(terminal.printed.stdout).toBe('👩\u200d💻 می\u200cخواهم\\u{200f}');
  });

  it('of unknown origin go through unchanged in a pipe and harmless on a terminal', () => {
    const pipe = open();
    pipe.out.raw('a\u001b[31mb\n');
    const terminal = open({}, { typed: [] });
    terminal.out.raw('a\u001b[31mb\n');
    expect(pipe.terminal.printed.stdout).toBe('a\u001b[31mb\n');
    expect(terminal.terminal.printed.stdout).toBe('a\\u{1b}[31mb\n');
  });

  it('have colours on a terminal only, and none with --no-color', () => {
    expect(open({}, { typed: [] }).out.paint('red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(open({ color: false }, { typed: [] }).out.paint('red', 'x')).toBe('x');
    expect(open().out.paint('red', 'x')).toBe('x');
  });
});

describe('messages', () => {
  it('go to standard error, and --quiet suppresses all but warnings', () => {
    const loud = open();
    loud.out.message('done');
    const quiet = open({ quiet: true });
    quiet.out.message('done');
    quiet.out.warn('careful');
    quiet.out.list([], columns, 'none');
    expect(loud.terminal.printed).toEqual({ stdout: '', stderr: 'done\n' });
    expect(quiet.terminal.printed).toEqual({ stdout: '', stderr: 'warning: careful\n' });
  });
});

describe('a question before a change', () => {
  it('is asked on a terminal, and only yes continues', async () => {
    for (const answer of ['y', 'Y', 'yes', ' yes ']) {
      await expect(open({}, { typed: [answer] }).out.confirm('Do it?')).resolves.toBeUndefined();
    }
    for (const typed of [['n'], [''], ['yesterday'], []]) {
      const { terminal, out } = open({}, { typed });
      await expect(out.confirm('Do it?')).rejects.toMatchObject({
        detail: { what: 'Nothing was changed.', exitCode: 1 },
      });
      expect(terminal.printed.stderr).toBe('Do it? [y/N] ');
    }
  });

  it('is not asked with --yes', async () => {
    const { terminal, out } = open({ yes: true }, { typed: ['n'] });
    await out.confirm('Do it?', { destroys: true });
    expect(terminal.printed.stderr).toBe('');
  });

  it('is asked with --local before what cannot be undone alone', async () => {
    const { terminal, out } = open({ local: '.local' }, { typed: ['n'] });
    await out.confirm('Do it?');
    expect(terminal.printed.stderr).toBe('');
    await expect(out.confirm('Delete it?', { destroys: true })).rejects.toMatchObject({
      detail: { what: 'Nothing was changed.' },
    });
  });

  it('without a terminal, refuses what cannot be undone and lets the rest pass', async () => {
    const { out } = open();
    await expect(out.confirm('Do it?')).resolves.toBeUndefined();
    await expect(out.confirm('Delete it?', { destroys: true })).rejects.toMatchObject({
      detail: { exitCode: 2, remedy: expect.stringContaining('--yes') },
    });
  });
});
