// The line on standard output from which a log entry that was never stored can be restored. Metrics are read from it too.
import { TEXTLESS_MEMBERS } from '../contract/log-attributes.ts';
import type { LogEntry, LoggedModelCall, LogOutcome } from '../contract/log-entry.ts';
import type { MetricKey, MetricValues } from '../contract/metrics.ts';
import type { LimitIncidents } from '../limits/budget.ts';
import type { Settlement } from '../ports/counters.ts';
import { parseJson } from '../text/json.ts';
import { utf8Bytes } from '../text/utf8.ts';
import { embedMetrics } from './embedded-metrics.ts';
import { guardMetricsOf } from './guard-metrics.ts';

/** Marks our lines among others that a function prints; its value is the format. */
const MARK = 'neuronEntry';
const FORMAT = 1;
/** Marks the line of a run that calls a model, which counts until the line of its end is there; its value is the format. */
const OPEN_MARK = 'neuronRun';

/**
 * JSON does not escape these. Many readers of lines, Node's among them, end a line at some of them (U+0085, U+2028, U+2029); a terminal
 * takes C1 for commands, and others turn the direction of text or are invisible.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** CloudWatch Logs may cut or split a longer line (its events ended at 256 KB for long), which then could not be parsed. */
const MAX_LINE_BYTES = 250_000;
/** Steps and model calls that stay in a line that would be longer. */
const MAX_WHEN_CUT = 100;

/** The limits of a request, in its line only. */
export interface LineLimits extends LimitIncidents {
  /** Settlements sent after the answer. If the function is lost before, these amounts stay held until the window ends. */
  readonly settle: readonly Settlement[];
}

/** The line's members beside the entry. */
interface LineDetail {
  /** The stage's name, the dimension of its metrics. */
  readonly stage: string;
  readonly limits?: LineLimits | undefined;
}

/** One JSON line: the entry without texts, and the amounts that are sent to the counters after it, which nobody sends again. Text of callers is escaped and cannot begin a line of its own. */
export function renderLine(entry: LogEntry, detail: LineDetail): string {
  const whole = toJsonLine(entry, entry, detail);
  if (utf8Bytes(whole) <= MAX_LINE_BYTES) return whole;
  const trace = entry.trace.slice(0, MAX_WHEN_CUT);
  const modelCalls = entry.modelCalls.slice(0, MAX_WHEN_CUT);
  return toJsonLine({ ...entry, trace, modelCalls, cut: true }, entry, detail);
}

/** The line of a run that begins: the entry in case its end is never seen, and the latest time of that end. Without metrics: the line of its end has them. */
export function renderOpenLine(entry: LogEntry, endsByMs: number): string {
  return escapeUnsafe(JSON.stringify({ [OPEN_MARK]: FORMAT, endsByMs, ...withoutTexts(entry) }));
}

/** `shown` is `entry`, possibly cut; metrics are those of the whole entry. */
function toJsonLine(shown: LogEntry, entry: LogEntry, { stage, limits }: LineDetail): string {
  const json = JSON.stringify({
    [MARK]: FORMAT,
    ...withoutTexts(shown),
    ...(limits === undefined ? {} : { limits: withoutZeros(limits) }),
    ...genAiAttributes(entry),
    // Nobody called for a shadow's run: it is in no metric of requests.
    ...(entry.shadow === undefined
      ? embedMetrics(metricsOf(entry, limits), { stage, timeMs: entry.timeMs + entry.latencyMs })
      : {}),
  });
  return escapeUnsafe(json);
}

/** More people read lines than entries, so that lines hold no texts. `restored` is set when a line is parsed. */
function withoutTexts({ input: _input, output: _output, restored: _restored, trace, ...rest }: LogEntry) {
  return { ...rest, trace: trace.map(({ input: _i, output: _o, ...step }) => step) };
}

/** Each byte of a line costs money with every call. */
function withoutZeros(limits: LineLimits): Partial<LineLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== 0));
}

function escapeUnsafe(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Parses a line into its entry, marked as restored; undefined for every other line. */
export function parseLine(line: string): LogEntry | undefined {
  const value = parseMarked(line, MARK);
  return value === undefined ? undefined : toEntry(value);
}

export interface OpenRun {
  readonly entry: LogEntry;
  /** Milliseconds since the Unix epoch at which its function has ended at the latest. */
  readonly endsByMs: number;
}

/** Parses the line of a run that began; undefined for every other line. */
export function parseOpenLine(line: string): OpenRun | undefined {
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
  // Lambda may add members before ours (lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html).
  const begin = marked === -1 && line.includes(`"${mark}":${FORMAT}`) ? line.indexOf('{') : marked;
  if (begin === -1) return undefined;
  const value = parseJson(line.slice(begin));
  return isEntry(value, mark) ? value : undefined;
}

/** The fields of an entry in a line, beside metrics, attributes and members that Lambda adds. */
const FIELDS: ReadonlySet<string> = new Set<keyof ParsedLine>([
  ...TEXTLESS_MEMBERS.filter((name) => name !== 'restored'),
  'feedback',
  'trace',
]);

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

/** Fields that every entry needs: to be put, listed, shown and counted. */
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
/** The latest date of JavaScript (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;

function toEntry(line: ParsedLine): LogEntry {
  const own = Object.entries(line).filter(([name]) => FIELDS.has(name));
  return {
    ...(Object.fromEntries(own) as unknown as ParsedLine),
    input: undefined,
    output: undefined,
    restored: true,
  };
}

const OUTCOMES = {
  success: 'succeeded',
  stopped: 'stopped',
  failed: 'failed',
  refused: 'refused',
} as const satisfies Record<LogOutcome, MetricKey>;

/** The finish of a call that gave a vector. */
const EMBEDDED = 'embedding';

const LIMIT_CODES: readonly (string | undefined)[] = [
  'rate_limited',
  'usage_limit_exceeded',
  'too_many_at_once',
];

/** Finishes of calls that the model answered. */
const ANSWERED: readonly string[] = ['stop', 'toolCalls', 'length', 'filtered', 'other', EMBEDDED];

/** Zeros are left out, except for metrics that every request has. */
export function metricsOf(entry: LogEntry, limits?: LimitIncidents): MetricValues {
  const { count, code, cache, modelCalls } = entry;
  const some: MetricValues = {
    cacheHits: Number(cache === 'exact' || cache === 'semantic'),
    cacheMisses: Number(cache === 'miss'),
    cacheFailures: entry.cacheFailures?.length ?? 0,
    providerErrors: modelCalls.reduce((sum, call) => sum + failedAttempts(call), 0),
    limitRefusals: LIMIT_CODES.includes(code) ? count : 0,
    reservationExceeded: limits?.reservationsExceeded ?? 0,
    countersUnavailable: limits?.countersUnavailable ?? 0,
    ...guardMetricsOf(entry),
    tokensInput: entry.tokensInput,
    tokensOutput: entry.tokensOutput,
    costMicrodollars: entry.costMicrodollars ?? 0,
    savingsMicrodollars: entry.savingsMicrodollars,
  };
  return {
    requests: count,
    [OUTCOMES[entry.outcome]]: count,
    // An entry for many requests has the latency of the last of them alone.
    ...(count === 1 ? { latency: entry.latencyMs, ownLatency: entry.ownLatencyMs } : {}),
    ...Object.fromEntries(Object.entries(some).filter(([, value]) => value > 0)),
  };
}

/** Attributes of opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai; tokens are metrics and have their names there. */
export function genAiAttributes({ modelCalls }: LogEntry): Record<string, unknown> {
  const last = modelCalls.at(-1);
  if (last === undefined) return {};
  const embeds = last.finish === EMBEDDED;
  return {
    'gen_ai.operation.name': embeds ? 'embeddings' : 'chat',
    'gen_ai.provider.name': last.provider,
    'gen_ai.request.model': last.model,
    ...(last.modelVersion === undefined ? {} : { 'gen_ai.response.model': last.modelVersion }),
    ...(embeds ? {} : { 'gen_ai.response.finish_reasons': [last.finish] }),
  };
}

function failedAttempts({ attempts, finish }: LoggedModelCall): number {
  return ANSWERED.includes(finish) ? attempts - 1 : attempts;
}
