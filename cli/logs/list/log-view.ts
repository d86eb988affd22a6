// Renders log entries as rows of a table and lines of JSON, and in full.

import type {
  LogEntry,
  LoggedFeedback,
  LoggedGuard,
  LoggedModelCall,
  LoggedStep,
  LoggedText,
  LogOutcome,
} from '../../../core/contract/log-entry.ts';
import type { ListedEntry } from '../../../core/ports/log-reader.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { EntryLine } from '../../json/log.ts';
import { renderCaller, renderKey, renderName, renderTags } from '../../output/caller.ts';
import type { Format, Paint } from '../../output/paint.ts';
import type { Output } from '../../output/print.ts';
import { printableLine, printableText } from '../../output/printable.ts';
import { type Column, fitColumns, renderRow } from '../../output/table.ts';
import type { NamedEntry } from './read-owners.ts';

const COLOURS: Partial<Record<LogOutcome, Format>> = { failed: 'red', refused: 'yellow' };
const colourOf = ({ outcome }: ListedEntry) => COLOURS[outcome];

export const LOG_COLUMNS: readonly Column<NamedEntry>[] = [
  { head: 'TIME (UTC)', cell: ({ timeMs }) => renderTime(timeMs) },
  { head: 'NEURON', cell: ({ neuron }) => neuron, drop: 7 },
  {
    head: 'OUTCOME',
    cell: ({ outcome, restored }) => (restored ? `${outcome} (restored)` : outcome),
    format: colourOf,
    drop: 6,
  },
  { head: 'STATUS', cell: ({ status }) => status, align: 'right', format: colourOf },
  { head: 'CODE', cell: renderCode, format: colourOf },
  { head: 'REASON', cell: ({ reason }) => reason, flexible: true, drop: 8 },
  { head: 'CACHE', cell: ({ cache }) => cache, drop: 2 },
  { head: 'MS', cell: ({ latencyMs }) => Math.round(latencyMs), align: 'right', drop: 4 },
  {
    head: 'TOKENS',
    cell: ({ tokensInput, tokensOutput }) => `${tokensInput}/${tokensOutput}`,
    align: 'right',
    drop: 1,
  },
  { head: 'COST', cell: ({ costMicrodollars }) => renderCost(costMicrodollars), align: 'right', drop: 3 },
  { head: 'CALLER', cell: renderCaller, drop: 5 },
  { head: 'EXECUTION ID', cell: ({ executionId }) => executionId },
];

/** An entry that stands for many calls may have no code, such as one of replayed answers. */
function renderCode({ code, count }: ListedEntry): string | undefined {
  if (count === 1) return code;
  return code === undefined ? `×${count}` : `${code} ×${count}`;
}

/** The same for entries of several organizations. */
export const MIXED_COLUMNS: readonly Column<NamedEntry>[] = LOG_COLUMNS.map((column) =>
  column.head === 'NEURON'
    ? { ...column, cell: ({ organization, neuron }) => `${organization}/${neuron}` }
    : column,
);

/** Widths of columns while following, when later rows are unknown. */
const ROW_WIDTHS: Readonly<Record<string, number>> = {
  'TIME (UTC)': 19,
  NEURON: 20,
  OUTCOME: 8,
  STATUS: 3,
  CODE: 22,
  REASON: 40,
  CACHE: 8,
  MS: 6,
  TOKENS: 11,
  COST: 9,
  CALLER: 16,
  'EXECUTION ID': 16,
};

/** Renders single rows with the columns that fit now. */
export function createRowRenderer(
  columns: readonly Column<NamedEntry>[],
  { paint, width }: Pick<Output, 'paint' | 'width'>,
) {
  const widths = columns.map(({ head }) => ROW_WIDTHS[head] ?? 0);
  const fitted = fitColumns(columns, widths, width);
  return (entry: NamedEntry): string => renderRow(entry, fitted, paint);
}

/** Every line has the same members, null where there is no value. */
export function toLogJson(entry: NamedEntry): EntryLine {
  const { version = null, code = null, reason = null, username = null, cache = null } = entry;
  const { keyId = null, keyName = null } = entry;
  const time = toIso(entry.timeMs);
  return { ...entry, time, version, code, reason, username, keyId, keyName, cache };
}

export function renderEntry(entry: LogEntry & Pick<NamedEntry, 'keyName'>, paint: Paint): string {
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['execution', entry.executionId],
    ['time', toIso(entry.timeMs)],
    [
      'neuron',
      `${entry.organization}/${entry.neuron}${entry.version === undefined ? '' : ` ${entry.version}`}`,
    ],
    ['feedback', entry.feedback && renderFeedback(entry.feedback)],
    ['rollout', entry.rollout && `${entry.rollout.arm} of ${entry.rollout.id}`],
    ['branch', entry.branch],
    ['shadow', entry.shadow && `of ${entry.shadow.of}, by ${entry.shadow.id}`],
    ['outcome', `${entry.outcome}, ${entry.status}${entry.code === undefined ? '' : ` ${entry.code}`}`],
    ['reason', entry.reason],
    [
      'stands for',
      entry.count > 1 ? `${entry.count} ${entry.replayOf === undefined ? 'refusals' : 'replays'}` : undefined,
    ],
    ['restored', entry.restored ? 'from the output of the function, without texts' : undefined],
    ['cut', entry.cut ? 'the entry was too large: some texts, steps or model calls are missing' : undefined],
    ['source IP', entry.sourceIp],
    ['referer', entry.refererHost],
    ['authentication', entry.authentication],
    ['username', entry.username === undefined ? undefined : renderName(entry.username)],
    ['API key', entry.keyId === undefined ? undefined : renderKey(entry.keyId, entry.keyName)],
    ['tags', entry.tags && renderTags(entry.tags)],
    ...(entry.guards ?? []).map((one) => ['guard', renderGuard(one)] as const),
    ['surface', entry.surface],
    ['client', entry.clientKind],
    ['session', entry.session],
    ['cache', renderCache(entry)],
    ['cache failed', entry.cacheFailures?.join(', ')],
    ['latency', `${Math.round(entry.latencyMs)} ms, own ${Math.round(entry.ownLatencyMs)} ms`],
    ['tokens', `${entry.tokensInput} in, ${entry.tokensOutput} out`],
    ['cost', `${renderCost(entry.costMicrodollars)}, saved ${renderCost(entry.savingsMicrodollars)}`],
    ['infrastructure', renderInfrastructure(entry)],
    ['expires', renderExpiry(entry.expiresAt)],
  ];
  const present = facts.filter(([, value]) => value !== undefined);
  return [
    ...present.map(([name, value]) => `${paint('bold', name.padEnd(15))}${printableLine(String(value))}`),
    ...renderText('input', entry.input, paint),
    ...renderText('output', entry.output, paint),
    ...(entry.modelCalls.length === 0
      ? []
      : [paint('bold', 'model calls'), ...entry.modelCalls.map(renderCall)]),
    ...(entry.trace.length === 0
      ? []
      : [paint('bold', 'trace'), ...entry.trace.flatMap((step) => renderStep(step, paint))]),
  ].join('\n');
}

/** `pii redact input[0]: email 2, card 1`. */
function renderGuard({ guard, action, stage, message, finds }: LoggedGuard): string {
  const place = message === undefined ? stage : `${stage}[${message}]`;
  return `${guard} ${action} ${place}: ${finds.map(({ type, count }) => `${type} ${count}`).join(', ')}`;
}

/** For a hit with the execution whose answer was served, for a semantic one also with its distance. */
function renderCache({ cache, cacheSource, cacheDistance }: LogEntry): string | undefined {
  if (cache === undefined || cacheSource === undefined) return cache;
  const distance = cacheDistance === undefined ? '' : `, distance ${cacheDistance.toFixed(4)}`;
  return `${cache}, the answer of ${cacheSource}${distance}`;
}

function renderCall(call: LoggedModelCall): string {
  const version = call.modelVersion === undefined ? '' : ` (${call.modelVersion})`;
  const tokens = `${call.tokensInput} in, ${call.tokensOutput} out${call.estimated ? ', estimated' : ''}`;
  const attempts = `${call.attempts} ${call.attempts === 1 ? 'attempt' : 'attempts'}`;
  return printableLine(
    `  ${call.provider}/${call.model}${version}: ${call.finish}, ${tokens}, ${renderCost(call.costMicrodollars)}, ${attempts}, ${Math.round(call.latencyMs)} ms`,
  );
}

function renderStep(step: LoggedStep, paint: Paint): string[] {
  const decision = step.decision === undefined ? '' : ` → ${step.decision}`;
  const matched =
    step.matched === undefined ? '' : ` matched ${step.matched.map((one) => JSON.stringify(one)).join(', ')}`;
  return [
    printableLine(`  +${Math.round(step.atMs)} ms ${step.type}${decision}${matched}`),
    ...renderText('input', step.input, paint, '    '),
    ...renderText('output', step.output, paint, '    '),
  ];
}

function renderText(name: string, text: LoggedText | undefined, paint: Paint, indent = ''): string[] {
  if (text === undefined) return [];
  if (text.kind === 'hash') {
    const key = text.key === undefined ? '' : `, key ${text.key}`;
    return [
      `${indent}${paint('bold', name)} ${text.bytes} bytes, HMAC ${printableLine(`${text.hash}${key}`)}`,
    ];
  }
  const head = `${indent}${paint('bold', name)} ${text.bytes} bytes${text.cut ? ', cut' : ''}`;
  return [
    head,
    ...printableText(text.text)
      .split('\n')
      // A text may imitate the lines around it, but none of those begins like this.
      .map((line) => `${indent}  │ ${line}`),
  ];
}

/** A comment is a caller's text, which may imitate a line. */
function renderFeedback({ of: rated, metric, value, comment }: LoggedFeedback): string {
  const said = comment === undefined ? '' : `: ${JSON.stringify(printableText(comment))}`;
  return printableText(`${metric} is ${value}, of ${rated}`) + said;
}

/** The latest second of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_S = 8.64e12;

/** An item that somebody put by hand may have an end that is no date. */
function renderExpiry(expiresAt: number): string {
  return Math.abs(expiresAt) <= MAX_TIME_S ? toIso(expiresAt * 1000) : String(expiresAt);
}

function renderTime(timeMs: number): string {
  return toIso(timeMs).slice(0, 19).replace('T', ' ');
}

/** US dollars; `unknown` where there is no price. */
function renderInfrastructure({ infrastructureNanodollars }: LogEntry): string | undefined {
  return infrastructureNanodollars === undefined ? undefined : renderCost(infrastructureNanodollars / 1_000);
}

function renderCost(microdollars: number | null): string | undefined {
  return microdollars === null ? 'unknown' : `$${(microdollars / 1_000_000).toFixed(6)}`;
}
