// The line on standard output that stands for an entry until the entry is stored, and brings it back when it never was.
import type { LimitIncidents } from '../limits/budget.ts';
import type { Settlement } from '../ports/counters.ts';
import type { LogEntry } from './entry.ts';

/** Marks our lines among everything else a function prints; the number is the format's. */
const MARK = 'neuronEntry';
const FORMAT = 1;

/** JSON leaves these two as they are, and many readers of lines, Node's among them, end a line at them. */
const UNICODE_LINE_ENDS = /[\u2028\u2029]/g;

/** What the line says of limits beside the entry. */
export interface LineLimits extends LimitIncidents {
  /** What counters are told after the answer: lost with the function, it stays held until the window ends. */
  readonly settle: readonly Settlement[];
}

/** One JSON line: the entry without texts, and the amounts to settle. Anything a caller chose is escaped, so it cannot begin a line of its own. */
export function renderLine(entry: LogEntry, limits?: LineLimits): string {
  const { input, output, trace, ...rest } = entry;
  const json = JSON.stringify({
    [MARK]: FORMAT,
    ...rest,
    trace: trace.map(({ input: _i, output: _o, ...step }) => step),
    ...(limits === undefined ? {} : { limits }),
  });
  return json.replace(UNICODE_LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

/** Reads a line back into the entry it stands for, marked as restored; undefined for every line that is not one of ours. */
export function parseLine(line: string): LogEntry | undefined {
  const begin = line.indexOf(`{"${MARK}":${FORMAT},`);
  if (begin === -1) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line.slice(begin));
  } catch {
    return undefined;
  }
  return isEntry(value) ? toEntry(value) : undefined;
}

type ParsedLine = Omit<LogEntry, 'input' | 'output'> & {
  readonly [MARK]: number;
  readonly limits?: unknown;
};

function isEntry(value: unknown): value is ParsedLine {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof LogEntry, unknown>>;
  return (
    typeof entry.executionId === 'string' &&
    typeof entry.timeMs === 'number' &&
    typeof entry.organizationId === 'string' &&
    typeof entry.neuronId === 'string' &&
    typeof entry.status === 'number' &&
    typeof entry.expiresAt === 'number'
  );
}

function toEntry(line: ParsedLine): LogEntry {
  const { [MARK]: _mark, limits: _limits, ...entry } = line;
  return { ...entry, input: undefined, output: undefined, restored: true };
}
