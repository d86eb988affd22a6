// The columns of an export in CSV and Parquet. An entry is kept whole: members without a column are in `other`.
import type { Json } from '../../../core/ports/seals.ts';
import type { ExportedEntry } from './exported-entry.ts';

export type ColumnKind = 'text' | 'integer' | 'decimal' | 'boolean' | 'time' | 'json';

/** A column; its name is that of the member of the entry. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Members by kind, in the order of the columns. */
const MEMBERS: readonly (readonly [ColumnKind, readonly string[]])[] = [
  ['text', ['type']],
  ['time', ['time']],
  [
    'text',
    ['executionId', 'id', 'organization', 'organizationId', 'neuron', 'neuronId', 'version', 'outcome'],
  ],
  ['integer', ['status']],
  [
    'text',
    ['code', 'reason', 'sourceIp', 'refererHost', 'username', 'keyId', 'authentication', 'traceparent'],
  ],
  ['text', ['cache', 'cacheSource', 'replayOf']],
  ['decimal', ['cacheDistance', 'latencyMs', 'ownLatencyMs']],
  ['integer', ['tokensInput', 'tokensOutput', 'costMicrodollars', 'savingsMicrodollars', 'count']],
  ['text', ['by']],
  [
    'json',
    ['actions', 'before', 'after', 'modelCalls', 'trace', 'input', 'output', 'cacheFailures', 'leftOut'],
  ],
  ['boolean', ['restored', 'cut']],
  ['integer', ['timeMs', 'endedAtMs', 'expiresAt', 'infrastructureNanodollars']],
  ['text', ['surface', 'clientKind', 'session']],
  ['json', ['tags', 'guards', 'rollout', 'feedback', 'shadow']],
];

const OTHER = 'other';

export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  ...MEMBERS.flatMap(([kind, names]) => names.map((name) => ({ name, kind }))),
  { name: OTHER, kind: 'json' },
];

const STORED_AS_JSON: ReadonlySet<string> = new Set(['before', 'after']);

/** A value of a column, with JSON and times as text; undefined where the entry has none. */
export type Cell = string | number | boolean | undefined;

/** The columns of a file, which has fewer where an earlier release wrote it. Throws where others are among them, or one is twice. */
export function columnsNamed(names: readonly string[]): readonly ExportColumn[] {
  const columns = EXPORT_COLUMNS.filter(({ name }) => names.includes(name));
  if (columns.map(({ name }) => name).join() !== names.join() || !names.includes(OTHER))
    throw new Error('the export writes no such columns');
  return columns;
}

export function toCells(
  entry: ExportedEntry,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): readonly Cell[] {
  return columns.map(({ name, kind }) =>
    toCell(kind, name === OTHER ? findOtherMembers(entry, columns) : entry[name], name),
  );
}

/** A value of another type than its column, which no release has written, goes to `other` as JSON. */
function toCell(kind: ColumnKind, value: unknown, name: string): Cell {
  if (value === undefined || value === null || !fits(kind, value, name)) return undefined;
  if (kind === 'json') return STORED_AS_JSON.has(name) ? String(value) : JSON.stringify(value);
  return value as Cell;
}

function fits(kind: ColumnKind, value: unknown, name: string): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'time':
      return typeof value === 'string' && isTime(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'json':
      return STORED_AS_JSON.has(name) ? typeof value === 'string' : value !== null;
  }
}

/** A time that a column of times gives back as it is. */
function isTime(text: string): boolean {
  const timeMs = Date.parse(text);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === text;
}

function findOtherMembers(
  entry: ExportedEntry,
  columns: readonly ExportColumn[],
): Readonly<Record<string, unknown>> | undefined {
  const members = Object.entries(entry).filter(([name, value]) => {
    const kind = name === OTHER ? undefined : columns.find((column) => column.name === name)?.kind;
    return value !== undefined && (kind === undefined || !fits(kind, value, name));
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The inverse of `toCells`. Throws where `other` or a nested value is no JSON. */
export function fromCells(
  cells: readonly Cell[],
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): ExportedEntry {
  const members = columns.flatMap(({ name, kind }, at): (readonly [string, Json])[] => {
    const cell = cells[at];
    if (cell === undefined) return [];
    if (name === OTHER) return Object.entries(JSON.parse(String(cell)) as Record<string, Json>);
    const isJson = kind === 'json' && !STORED_AS_JSON.has(name);
    return [[name, isJson ? (JSON.parse(String(cell)) as Json) : cell]];
  });
  // Not assigned one by one: a member may be named `__proto__`.
  return Object.fromEntries(members) as unknown as ExportedEntry;
}
