// Renders tables that fit the terminal. Columns are dropped or cut, since wrapped lines cannot be read.
import type { Format, Paint } from './paint.ts';
import { printableLine } from './printable.ts';

export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => string | number | undefined;
  readonly align?: 'right';
  readonly format?: (item: T) => Format | undefined;
  /** Order in which columns are dropped where there is no room, from 1. Absent for columns that a reader needs. */
  readonly drop?: number;
  /** Long cells of it are cut before any column is dropped. */
  readonly flexible?: true;
}

/** Columns that fit, and their widths. */
export interface FittedColumns<T> {
  readonly columns: readonly Column<T>[];
  readonly widths: readonly number[];
  /** Heads of dropped columns. */
  readonly dropped: readonly string[];
}

const GAP = '  ';
/** Min. width of a flexible column before others are dropped. */
const FLEXIBLE_WIDTH = 24;
const MIN_WIDTH = 4;

/** Drops and cuts columns until they fit. Without `available` all stay as they are. */
export function fitColumns<T>(
  columns: readonly Column<T>[],
  widths: readonly number[],
  available: number | undefined,
): FittedColumns<T> {
  let kept = columns.map((column, at) => ({ column, width: widths[at] ?? 0 }));
  if (available === undefined) return { columns, widths, dropped: [] };
  const minimumWidth = ({ column, width }: (typeof kept)[number]) =>
    column.flexible ? Math.min(width, FLEXIBLE_WIDTH) : width;
  const excess = (widthOfOne: (one: (typeof kept)[number]) => number) =>
    kept.reduce((sum, one) => sum + widthOfOne(one), GAP.length * (kept.length - 1)) - available;
  const dropped: string[] = [];
  while (excess(minimumWidth) > 0) {
    const [next] = kept
      .filter(({ column }) => column.drop !== undefined)
      .toSorted((one, other) => (one.column.drop ?? 0) - (other.column.drop ?? 0));
    if (next === undefined) break;
    dropped.push(next.column.head);
    kept = kept.filter((one) => one !== next);
  }
  for (const canShrink of [
    (one: (typeof kept)[number]) => one.column.flexible === true,
    // A cut number would be another number.
    (one: (typeof kept)[number]) => one.column.align !== 'right',
  ]) {
    for (const one of kept.filter(canShrink).toSorted((a, b) => b.width - a.width)) {
      const over = excess(({ width }) => width);
      if (over > 0) one.width = Math.max(MIN_WIDTH, one.width - over);
    }
  }
  return { columns: kept.map(({ column }) => column), widths: kept.map(({ width }) => width), dropped };
}

export function renderRow<T>(item: T, { columns, widths }: FittedColumns<T>, paint: Paint): string {
  const cells = columns.map((column, at) => {
    const text = pad(textOf(column, item), widths[at] ?? 0, column.align);
    const format = column.format?.(item);
    return format === undefined ? text : paint(format, text);
  });
  return cells.join(GAP).trimEnd();
}

/** Every cell is one line with control characters escaped. `dropped`: heads of dropped columns. */
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
  // ASCII, as most texts are, needs no segments.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
