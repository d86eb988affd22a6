// Tables: short ones, and long ones of which only the visible rows are drawn.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** `shown`: the width of screen that it needs. */
export interface TableColumn<Row> {
  readonly head: string;
  /** `above`: the row before, where that is in sight. */
  readonly cell: (row: Row, above?: Row) => ComponentChildren;
  readonly align?: 'right';
  readonly shown?: 'always' | 'medium' | 'wide';
  /** CSS `flex` of a column of a long table, such as `1 1 7rem`. */
  readonly width?: string;
}

export function Table<Row>({
  rows,
  columns,
  keyOf,
  label,
}: {
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly label: string;
}) {
  return (
    <div class="table-scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ head, align, shown }) => (
              <th key={head} scope="col" class={classOf(align, shown)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell, align, shown }) => (
                <td key={head} class={classOf(align, shown)}>
                  {cell(row, rows[index - 1])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(align: 'right' | undefined, shown: TableColumn<never>['shown'] = 'always'): string {
  return `${align ?? 'left'} ${shown}`;
}

const ROW_PX = 40;
/** `onEnd` is called this many rows before the end, so that the next ones are there when they are reached. */
const AHEAD_ROWS = 100;

interface LongTableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly label: string;
  readonly selected: string | undefined;
  readonly onSelect: (row: Row) => void;
  /** Called near the end. */
  readonly onEnd: () => void;
  readonly foot?: ComponentChildren;
}

/** A table of any length that scrolls. */
export function LongTable<Row>({
  rows,
  columns,
  keyOf,
  label,
  selected,
  onSelect,
  onEnd,
  foot,
}: LongTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer(scroller, rows.length);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const first = virtualizer.range?.startIndex ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD_ROWS) onEnd();
  }, [last, rows.length, onEnd]);
  const move = (event: KeyboardEvent) => {
    const next = nextRow(event, rows, (row) => keyOf(row) === selected);
    if (next === undefined) return;
    event.preventDefault();
    virtualizer.scrollToIndex(rows.indexOf(next));
    onSelect(next);
  };
  return (
    // No <table>, which could not leave out invisible rows.
    <div class="long-table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div class="long-head" role="rowgroup">
        <Cells columns={columns} role="columnheader" render={({ head }) => head} index={1} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move within it. */}
      <div class="long-body" ref={scroller} role="rowgroup" tabIndex={0} onKeyDown={move}>
        <div class="long-rows" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <LongRow<Row>
                  key={keyOf(row)}
                  row={row}
                  above={index > first ? rows[index - 1] : undefined}
                  columns={columns}
                  index={index + 2}
                  isSelected={keyOf(row) === selected}
                  topPx={start}
                  onSelect={onSelect}
                />
              )
            );
          })}
        </div>
        {foot && <div class="long-foot">{foot}</div>}
      </div>
    </div>
  );
}

/** The row to which a key moves the selection; undefined for other keys. */
function nextRow<Row>(
  { key }: KeyboardEvent,
  rows: readonly Row[],
  isSelected: (row: Row) => boolean,
): Row | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[key];
  if (step === undefined) return undefined;
  return rows[Math.min(rows.length - 1, Math.max(0, rows.findIndex(isSelected) + step))];
}

interface LongRowProps<Row> {
  readonly row: Row;
  readonly above: Row | undefined;
  readonly columns: readonly TableColumn<Row>[];
  readonly index: number;
  readonly isSelected: boolean;
  readonly topPx: number;
  readonly onSelect: (row: Row) => void;
}

/** A visible row. It is drawn again only when these properties change, so that scrolling draws only rows that come into view. */
class LongRow<Row> extends Component<LongRowProps<Row>> {
  override shouldComponentUpdate(next: LongRowProps<Row>): boolean {
    const { row, above, columns, index, isSelected, topPx } = this.props;
    return (
      next.row !== row ||
      next.above !== above ||
      next.columns !== columns ||
      next.index !== index ||
      next.isSelected !== isSelected ||
      next.topPx !== topPx
    );
  }

  render() {
    const { row, above, columns, index, isSelected, topPx } = this.props;
    return (
      <Cells
        columns={columns}
        role="cell"
        index={index}
        isSelected={isSelected}
        topPx={topPx}
        onClick={() => this.props.onSelect(row)}
        render={({ cell }) => cell(row, above)}
      />
    );
  }
}

interface CellsProps<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly role: 'columnheader' | 'cell';
  readonly render: (column: TableColumn<Row>) => ComponentChildren;
  readonly index: number;
  readonly isSelected?: boolean;
  readonly topPx?: number;
  readonly onClick?: () => void;
}

function Cells<Row>({ columns, role, render, index, isSelected, topPx, onClick }: CellsProps<Row>) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the keyboard is handled by the scrolling part.
    <div
      class={isSelected ? 'long-row selected' : 'long-row'}
      role="row"
      aria-rowindex={index}
      onClick={onClick}
      style={topPx === undefined ? {} : { transform: `translateY(${topPx}px)` }}
    >
      {columns.map((column) => (
        <div
          key={column.head}
          role={role}
          class={classOf(column.align, column.shown)}
          style={{ '--flex': column.width ?? '1 1 6rem' }}
        >
          {render(column)}
        </div>
      ))}
    </div>
  );
}

/** Binds the virtualizer of TanStack to the component. */
function useVirtualizer(scroller: { readonly current: HTMLDivElement | null }, count: number) {
  const [, draw] = useState(0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLElement> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw((round) => round + 1),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
