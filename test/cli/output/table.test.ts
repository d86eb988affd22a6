// Tables fit the terminal: columns are left out and cells cut, and no line wraps.
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../../cli/output/print.ts';
import { type Column, renderTable } from '../../../cli/output/table.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

interface Item {
  readonly id: string;
  readonly note: string;
  readonly size: number;
  readonly by: string;
}

const ITEMS: readonly Item[] = [
  { id: 'first', note: 'a note of some thirty letters!', size: 7, by: 'ada' },
  { id: 'b', note: '-', size: 123_456, by: 'grace' },
];
const COLUMNS: readonly Column<Item>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'NOTE', cell: ({ note }) => note, flexible: true, drop: 2 },
  {
    head: 'SIZE',
    cell: ({ size }) => size,
    align: 'right',
    format: ({ size }) => (size > 10 ? 'red' : undefined),
  },
  { head: 'BY', cell: ({ by }) => by, drop: 1 },
];

const plain = { paint: (_format: string, text: string) => text };
const render = (available: number) => renderTable(ITEMS, COLUMNS, { ...plain, available });

describe('a table', () => {
  it('is whole where there is room, and where nobody knows how much', () => {
    const whole = [
      'ID     NOTE                              SIZE  BY',
      'first  a note of some thirty letters!       7  ada',
      'b      -                               123456  grace',
    ].join('\n');
    expect(renderTable(ITEMS, COLUMNS, plain)).toEqual({ text: whole, dropped: [] });
    expect(render(52)).toEqual({ text: whole, dropped: [] });
  });

  it('cuts long cells first, then leaves out columns in their order, and names them', () => {
    expect(render(50).text.split('\n')[1]).toBe('first  a note of some thirty lette…       7  ada');
    expect(render(45).dropped).toEqual(['BY']);
    expect(render(20)).toMatchObject({ dropped: ['BY', 'NOTE'] });
    expect(render(20).text).toBe('ID       SIZE\nfirst       7\nb      123456');
  });

  it.each(Array.from({ length: 45 }, (_, at) => at + 12))('of %i columns never wraps', (available) => {
    for (const line of render(available).text.split('\n')) expect(line.length).toBeLessThanOrEqual(available);
  });

  it('does not cut numbers, which would then be others', () => {
    expect(render(5).text).toContain('123456');
  });

  it('counts wide characters as two', () => {
    const wide = [{ id: '名前が長い', note: '', size: 1, by: '' }];
    const { text } = renderTable(wide, COLUMNS.slice(0, 1), { ...plain, available: 6 });
    expect(text).toBe('ID\n名前…');
  });

  it('colours cells, and says on a terminal what has no room there', () => {
    const terminal = createMemoryTerminal({ typed: [], columns: 20 });
    createOutput(terminal, { json: false, quiet: false, yes: false, color: true }).list(
      ITEMS,
      COLUMNS,
      'none',
    );
    expect(terminal.printed.stdout).toContain('\u001b[31m123456\u001b[39m');
    expect(terminal.printed.stderr).toBe('No room for BY, NOTE: widen the terminal, or pass --json.\n');
  });
});
