// The columns of an export: no member of an entry without a place, no text that a spreadsheet takes for a formula.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXPORT_COLUMNS, toCells } from '../../../../cli/logs/export/columns.ts';
import type { ExportedEntry } from '../../../../cli/logs/export/exported-entry.ts';
import { toLine } from '../../../../cli/logs/export/write-csv.ts';
import { entryOf } from '../../../core/logs/entries.ts';

const ENTRY: ExportedEntry = JSON.parse(
  JSON.stringify({
    type: 'call',
    time: '2026-11-21T12:30:00.000Z',
    ...entryOf({ charges: { perRequest: 4, perEntry: 3 } }),
  }),
);

const cell = (entry: ExportedEntry, name: string) =>
  toCells(entry)[EXPORT_COLUMNS.findIndex((one) => one.name === name)];

describe('the columns of an export', () => {
  it('are every member of an entry, so that `other` is for what later releases add', () => {
    expect(cell(ENTRY, 'other')).toBeUndefined();
    for (const name of Object.keys(ENTRY)) expect(EXPORT_COLUMNS.map((one) => one.name)).toContain(name);
  });

  it('keep what has no column, and what its column cannot hold, in `other`', () => {
    const entry = { ...ENTRY, colour: { hue: 1 }, status: 'teapot', other: 'x', latencyMs: Number.NaN };
    expect(JSON.parse(String(cell(entry, 'other')))).toEqual({
      colour: { hue: 1 },
      status: 'teapot',
      other: 'x',
      latencyMs: null,
    });
    expect(cell(entry, 'status')).toBeUndefined();
  });

  it('hold nested values as JSON, and JSON that is stored as text as it is', () => {
    expect(JSON.parse(String(cell(ENTRY, 'modelCalls')))).toEqual(ENTRY['modelCalls']);
    expect(cell({ ...ENTRY, after: '{"b":1,"a":2}' }, 'after')).toBe('{"b":1,"a":2}');
  });
});

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['x;=1+1', '"x;\'=1+1"'],
    ['x; ＝1', '"x;\' ＝1"'],
    ['x\t@SUM(A1)', '"x\t\'@SUM(A1)"'],
    ['x|"-1', '"x|\'""-1"'],
    ['a;b', '"a;b"'],
    ['＝1', "'＝1"],
    ["'quoted", "''quoted"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['', '""'],
    ['plain', 'plain'],
  ])('has %j as %j', (text, shown) => {
    expect(toLine([text])).toBe(`${shown}\r\n`);
  });

  it('tells no value from an empty one, and numbers from texts', () => {
    expect(toLine([undefined, '', -5, true, 0.25])).toBe(',"",-5,true,0.25\r\n');
  });

  it('never begins a text as a formula begins, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toLine([text])).not.toMatch(/^"?[=+\-@\t\r\n＝＋－＠](?!$)/);
      }),
    );
  });
});
