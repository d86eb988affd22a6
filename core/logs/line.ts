// The line on standard output that a log entry can be restored from when it was never stored. It is also the
// service's log of the request, and what its metrics are read from.

import type { LogEntry } from '../contract/log-entry.ts';
import type { LimitIncidents } from '../limits/budget.ts';
import type { Settlement } from '../ports/counters.ts';
import { utf8Bytes } from '../text/utf8.ts';
import { embedMetrics } from './embedded-metrics.ts';
import { genAiAttributes, metricsOf } from './metrics-of.ts';

/** Marks our lines among everything else a function prints; its value is the format. */
const MARK = 'neuronEntry';
const FORMAT = 1;
/** Marks a line that stands for a stream until the line of its end is there; its value is the format. */
const OPEN_MARK = 'neuronStream';

/**
 * JSON leaves these as they are. Many readers of lines, Node's among them, end a line at some of them (U+0085, U+2028, U+2029); a terminal that a log
 * is watched on takes C1 for commands, and turns the direction of text or shows nothing at others.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A line that is longer may be cut or split on its way to CloudWatch Logs, whose events ended at 256 KB for long, and could not be read back. */
const MAX_LINE_BYTES = 250_000;
/** Steps and model calls of a longer one that stay, as in an item that does not fit. */
const MAX_WHEN_CUT = 100;

/** What the line holds of limits beside the entry. */
export interface LineLimits extends LimitIncidents {
  /** What is settled after the answer. If the function is lost before, these amounts stay held until the window ends. */
  readonly settle: readonly Settlement[];
}

/** What the line holds beside its entry. */
interface LineDetail {
  /** The stage's name, the dimension of its metrics. */
  readonly stage: string;
  readonly limits?: LineLimits | undefined;
}

/** One JSON line: the entry without texts, and the amounts to settle. Anything a caller chose is escaped, so it cannot begin a line of its own. */
export function renderLine(entry: LogEntry, detail: LineDetail): string {
  const whole = toJsonLine(entry, entry, detail);
  if (utf8Bytes(whole) <= MAX_LINE_BYTES) return whole;
  const trace = entry.trace.slice(0, MAX_WHEN_CUT);
  const modelCalls = entry.modelCalls.slice(0, MAX_WHEN_CUT);
  return toJsonLine({ ...entry, trace, modelCalls, cut: true }, entry, detail);
}

/** The line of a stream that opens: the entry that it has if its end is never seen, and the time by which it has ended. No metrics: those are its end's. */
export function renderOpenLine(entry: LogEntry, endsByMs: number): string {
  return escapeUnsafe(JSON.stringify({ [OPEN_MARK]: FORMAT, endsByMs, ...withoutTexts(entry) }));
}

/** `shown` is `entry`, possibly cut; the metrics are those of the whole. */
function toJsonLine(shown: LogEntry, entry: LogEntry, { stage, limits }: LineDetail): string {
  const json = JSON.stringify({
    [MARK]: FORMAT,
    ...withoutTexts(shown),
    ...(limits === undefined ? {} : { limits: withoutZeros(limits) }),
    ...genAiAttributes(entry),
    ...embedMetrics(metricsOf(entry, limits), { stage, timeMs: entry.timeMs + entry.latencyMs }),
  });
  return escapeUnsafe(json);
}

/** A line is read by more people than an entry. It does not say that it is not restored: what is made of it says that it is. */
function withoutTexts({ input: _input, output: _output, restored: _restored, trace, ...rest }: LogEntry) {
  return { ...rest, trace: trace.map(({ input: _i, output: _o, ...step }) => step) };
}

/** Each byte of a line is paid for with every call: it does not say what did not happen. */
function withoutZeros(limits: LineLimits): Partial<LineLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== 0));
}

function escapeUnsafe(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Parses a line back into its entry, marked as restored; undefined for every line that is not one of ours. */
export function parseLine(line: string): LogEntry | undefined {
  const value = parseMarked(line, MARK);
  return value === undefined ? undefined : toEntry(value);
}

/** A stream that opened, as it stands when its end is never seen. */
export interface OpenStream {
  readonly entry: LogEntry;
  /** Milliseconds since the Unix epoch by which its function has ended. */
  readonly endsByMs: number;
}

/** Parses the line of a stream that opened; undefined for every other line. */
export function parseOpenLine(line: string): OpenStream | undefined {
  const value = parseMarked(line, OPEN_MARK);
  const endsByMs: unknown = value?.['endsByMs'];
  return value === undefined || typeof endsByMs !== 'number'
    ? undefined
    : { entry: toEntry(value), endsByMs };
}

function parseMarked(
  line: string,
  mark: string,
): (ParsedLine & Readonly<Record<string, unknown>>) | undefined {
  const marked = line.indexOf(`{"${mark}":${FORMAT},`);
  // Lambda may have added members of its own before ours (lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html).
  const begin = marked === -1 && line.includes(`"${mark}":${FORMAT}`) ? line.indexOf('{') : marked;
  if (begin === -1) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line.slice(begin));
  } catch {
    return undefined;
  }
  return isEntry(value, mark) ? value : undefined;
}

/** Every field that a line holds; what else is in it (metrics, attributes, what Lambda adds) is no part of the entry. */
const FIELDS: Readonly<Record<keyof ParsedLine, true>> = {
  ...{ executionId: true, timeMs: true, organization: true, organizationId: true, neuron: true },
  ...{ neuronId: true, version: true, outcome: true, status: true, code: true, reason: true },
  ...{ sourceIp: true, refererHost: true, username: true, keyId: true, authentication: true },
  ...{ traceparent: true, replayOf: true },
  ...{
    cache: true,
    cacheDistance: true,
    cacheSource: true,
    cacheFailures: true,
    latencyMs: true,
    ownLatencyMs: true,
    tokensInput: true,
    tokensOutput: true,
  },
  ...{ costMicrodollars: true, savingsMicrodollars: true, modelCalls: true, trace: true },
  ...{ count: true, expiresAt: true, cut: true },
};

type ParsedLine = Omit<LogEntry, 'input' | 'output' | 'restored'>;

function isEntry(value: unknown, mark: string): value is ParsedLine & Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<string, unknown>>;
  return (
    entry[mark] === FORMAT &&
    TEXTS.every((name) => typeof entry[name] === 'string') &&
    NUMBERS.every((name) => typeof entry[name] === 'number') &&
    [entry['trace'], entry['modelCalls']].every(Array.isArray) &&
    Math.abs(Number(entry['timeMs'])) <= MAX_TIME_MS
  );
}

/** Of a line what no entry can do without: to be put, listed, shown and counted. */
const TEXTS = ['executionId', 'organization', 'organizationId', 'neuron', 'neuronId', 'outcome'] as const;
const NUMBERS = [
  'timeMs',
  'status',
  'latencyMs',
  'tokensInput',
  'tokensOutput',
  'count',
  'expiresAt',
] as const;
/** The latest time that there is a date for (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;

function toEntry(line: ParsedLine): LogEntry {
  const own = Object.entries(line).filter(([name]) => Object.hasOwn(FIELDS, name));
  return {
    ...(Object.fromEntries(own) as unknown as ParsedLine),
    input: undefined,
    output: undefined,
    restored: true,
  };
}
