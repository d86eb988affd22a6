// Tables without borders that fit the terminal: columns are left out or cut, since a line that wraps cannot be read.
import type { Format, Paint } from './paint.ts';
import { printableLine } from './printable.ts';

/** A column of a table. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => string | number | undefined;
  readonly align?: 'right';
  /** The colour of a cell. */
  readonly format?: (item: T) => Format | undefined;
  /** Where there is no room: 1 is left out first. Absent for columns that a reader needs. */
  readonly drop?: number;
  /** Where there is no room, long cells of it are cut before any column is left out. */
  readonly flexible?: true;
}

/** Columns that fit, and how wide each is. */
export interface FittedColumns<T> {
  readonly columns: readonly Column<T>[];
  readonly widths: readonly number[];
  /** Heads of the columns that were left out. */
  readonly dropped: readonly string[];
}

const GAP = '  ';
/** A flexible column is not cut further than this. */
const FLEXIBLE_WIDTH = 24;
/** No column is cut further than this. */
const MIN_WIDTH = 4;

/** Leaves out and cuts columns until they fit. Without `available` everything is kept. */
export function fitColumns<T>(
  columns: readonly Column<T>[],
  widths: readonly number[],
  available: number | undefined,
): FittedColumns<T> {
  let kept = columns.map((column, at) => ({ column, width: widths[at] ?? 0 }));
  if (available === undefined) return { columns, widths, dropped: [] };
  const least = ({ column, width }: (typeof kept)[number]) =>
    column.flexible ? Math.min(width, FLEXIBLE_WIDTH) : width;
  const excess = (widthOfOne: (one: (typeof kept)[number]) => number) =>
    kept.reduce((sum, one) => sum + widthOfOne(one), GAP.length * (kept.length - 1)) - available;
  const dropped: string[] = [];
  while (excess(least) > 0) {
    const [next] = kept
      .filter(({ column }) => column.drop !== undefined)
      .toSorted((one, other) => (one.column.drop ?? 0) - (other.column.drop ?? 0));
    if (next === undefined) break;
    dropped.push(next.column.head);
    kept = kept.filter((one) => one !== next);
  }
  for (const isMeant of [
    (one: (typeof kept)[number]) => one.column.flexible === true,
    // A number that is cut would be another number.
    (one: (typeof kept)[number]) => one.column.align !== 'right',
  ]) {
    for (const one of kept.filter(isMeant).toSorted((a, b) => b.width - a.width)) {
      const over = excess(({ width }) => width);
      if (over > 0) one.width = Math.max(MIN_WIDTH, one.width - over);
    }
  }
  return { columns: kept.map(({ column }) => column), widths: kept.map(({ width }) => width), dropped };
}

/** One line of a table. */
export function renderRow<T>(item: T, { columns, widths }: FittedColumns<T>, paint: Paint): string {
  const cells = columns.map((column, at) => {
    const text = pad(textOf(column, item), widths[at] ?? 0, column.align);
    const format = column.format?.(item);
    return format === undefined ? text : paint(format, text);
  });
  return cells.join(GAP).trimEnd();
}

/** A table; every cell is one line with control characters escaped. `dropped` names the columns that were left out. */
export function renderTable<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  { paint, available }: { readonly paint: Paint; readonly available?: number | undefined },
): { readonly text: string; readonly dropped: readonly string[] } {
  const natural = columns.map((column) =>
    items.reduce((most, item) => Math.max(most, widthOf(textOf(column, item))), widthOf(column.head)),
  );
  const fitted = fitColumns(columns, natural, available);
  const heads = fitted.columns.map(({ head, align }, at) => {
    const text = pad(head, fitted.widths[at] ?? 0, align);
    return at === fitted.columns.length - 1 ? paint('bold', text.trimEnd()) : paint('bold', text);
  });
  const lines = [heads.join(GAP), ...items.map((item) => renderRow(item, fitted, paint))];
  return { text: lines.join('\n'), dropped: fitted.dropped };
}

function textOf<T>({ cell }: Column<T>, item: T): string {
  return printableLine(String(cell(item) ?? '-'));
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const fitting = cut(text, width);
  const room = ' '.repeat(Math.max(0, width - widthOf(fitting)));
  return align === 'right' ? room + fitting : fitting + room;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (widthOf(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

const GRAPHEMES = new Intl.Segmenter('en');
/** East Asian characters and emoji take two columns (Unicode Standard Annex 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

function widthOf(text: string): number {
  // Most texts are ASCII, for which no segments are needed.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
