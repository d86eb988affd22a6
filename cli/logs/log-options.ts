// The options of `neuron logs`, which select entries and a time range.
import { InvalidArgumentError } from 'commander';
import { ERROR_CODES, type ErrorCode } from '../../core/contract/error-codes.ts';
import type { LogOutcome } from '../../core/contract/log-entry.ts';
import {
  addressOption,
  keyOption,
  parseDurationMs,
  parseMaximum,
  parseVersionId,
  userOption,
} from '../command/arguments.ts';
import type { ValuesOf } from '../command/command.ts';
import { flag, option } from '../command/command.ts';
import type { Conflict } from '../command/conflicts.ts';
import { quote } from '../output/command-line.ts';
import { usageFailure } from '../output/failure.ts';
import { logsWords } from './logs-words.ts';
import { type Moment, parseLength, parseMoment } from './moment.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Entries are stored for 365 days at most, and every hour of a range costs at least one query. */
const MAX_AGE_MS = 366 * DAY_MS;
/** Default range of changes, which are few and of interest for longer. */
const CHANGES_MS = 30 * DAY_MS;
const SKEW_MS = 60_000;
const OUTCOMES = ['success', 'stopped', 'failed', 'refused'] as const satisfies readonly LogOutcome[];

/** A list that is longer is better written as JSON, all of it. */
const MAX_LIMIT = 100_000;
const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

export const LOG_OPTIONS = {
  since: option('--since <time>', 'how far back, such as 1d, or a start time (default: 1h)', parseSince),
  from: option('--from <time>', 'start time: yesterday, monday, 14:30, 2026-11-21, …', parseFrom),
  to: option('--to <time>', 'end time; a day or month is included', parseMoment),
  user: userOption('show only calls of this username'),
  outcome: option('--outcome <outcome>', 'show only calls with this outcome', OUTCOMES),
  status: option('--status <status>', 'show only calls with this HTTP status', parseStatus),
  key: keyOption('show only calls with this API key'),
  ip: addressOption('show only calls from this address'),
  code: option(
    '--code <code>',
    'show only calls that ended with this error code, such as rate_limited',
    CODES,
  ),
  revision: option(
    '--revision <version>',
    'show only calls that this version answered; also --version v3',
    parseVersionId,
  ),
  slowerThan: option(
    '--slower-than <duration>',
    'show only calls that took longer, such as 5s',
    parseDurationMs,
  ),
  provider: option('--provider <provider>', 'show only calls that asked this provider; reads each entry'),
  tag: option('--tag <name=value>', 'show only calls with this tag; reads each entry', parseTag),
  guard: option('--guard <name>', 'show only calls in which this guard found something; reads each entry'),
  limit: option('--limit <number>', 'show the newest ones alone, this many', parseMaximum(MAX_LIMIT)),
  id: option('--id <id>', 'show one entry in full, with its trace'),
  deleted: option('--deleted <id>', 'show calls of the deleted owner with this id, whose slug is used again'),
  changes: flag('--changes', 'show changes by operators instead (default: the last 30 days)'),
  csv: flag('--csv', 'print all entries as CSV'),
  follow: flag('--follow', 'show new entries as they arrive, until interrupted'),
};

/** `deleted`: id of a deleted organization or neuron whose slug is used again. */
export type LogOptions = ValuesOf<typeof LOG_OPTIONS>;

export const LOG_CONFLICTS: readonly Conflict<keyof LogOptions>[] = [
  { option: 'since', with: ['from'] },
  { option: 'follow', with: ['to', 'id', 'changes', 'limit'] },
  { option: 'csv', with: ['follow', 'changes', 'id'] },
  { option: 'deleted', with: ['changes', 'follow'] },
  {
    option: 'changes',
    with: [
      'user',
      'outcome',
      'status',
      'key',
      'ip',
      'code',
      'revision',
      'slowerThan',
      'provider',
      'tag',
      'guard',
      'limit',
    ],
    remedy: 'Pass one of them: the other option selects calls.',
  },
];

interface PeriodOptions {
  /** Length of the range in milliseconds, or its start. */
  readonly since?: number | Moment | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
  readonly changes?: boolean;
  readonly follow?: boolean;
}

/**
 * The time range in milliseconds since the Unix epoch, the end exclusive. Throws `CommandFailure` where the end is not after the start, and
 * where nothing can be stored: an empty list of the future, or of years ago, would read like a finding.
 */
export function toPeriod({ since, from, to, changes, follow }: PeriodOptions, nowMs: number) {
  // Clocks of operators differ, and changes of one moment get times a millisecond apart.
  const toMs = to?.end(nowMs) ?? nowMs + (changes ? SKEW_MS : 1);
  // Following starts now unless a start time is passed.
  const backMs = typeof since === 'number' ? since : follow ? 0 : changes ? CHANGES_MS : HOUR_MS;
  const fromMs = (typeof since === 'object' ? since : from)?.begin(nowMs) ?? toMs - backMs;
  if (fromMs >= toMs && !follow) throw usageFailure('The start time must be before the end time.');
  const beginMs = Math.max(fromMs, nowMs - MAX_AGE_MS);
  const endMs = Math.min(toMs, nowMs + DAY_MS);
  if (fromMs >= endMs && !follow) throw usageFailure('The period begins in the future.');
  if (beginMs >= endMs && !follow)
    throw usageFailure('The period ends more than 365 days ago.', 'No entry is stored for longer.');
  return { fromMs: beginMs, toMs: endMs };
}

/** Throws `CommandFailure` where a verb of `neuron logs` gets one of its options that is not `applicable`. */
export function checkApplicable(
  options: LogOptions,
  applicable: readonly (keyof LogOptions)[],
  reason: string,
  remedy = 'Omit it.',
): void {
  const names = Object.keys(LOG_OPTIONS) as (keyof LogOptions)[];
  const other = names.find(
    (name) => options[name] !== undefined && options[name] !== false && !applicable.includes(name),
  );
  if (other !== undefined) throw usageFailure(`--${other} does not apply: ${reason}.`, remedy);
}

export function parseSince(text: string): number | Moment {
  return parseLength(text) ?? parseMoment(text);
}

/** A tag as `keys create --tag` takes it. */
function parseTag(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw new InvalidArgumentError('It must be NAME=VALUE, such as team=shop.');
}

/** A place has a slash, and no time has one. */
function parseFrom(text: string): Moment {
  if (!text.includes('/')) return parseMoment(text);
  const reject = () => {
    throw usageFailure(
      `${text} is no time.`,
      'The folder or bucket of an archive is read by `neuron logs verify --from` alone.',
    );
  };
  return { begin: reject, end: reject, place: text };
}

function parseStatus(text: string): number {
  if (!/^[1-5][0-9]{2}$/.test(text))
    throw new InvalidArgumentError('It must be an HTTP status, such as 429.');
  return Number(text);
}

/** `logs acme/hello --user ann`: the command that lists the same entries, for hints. */
export function renderFilters(subject: string, options: LogOptions): string {
  const names = [
    'user',
    'outcome',
    'status',
    'key',
    'ip',
    'code',
    'revision',
    'provider',
    'guard',
    'deleted',
  ] as const;
  const { slowerThan, tag } = options;
  const words = [
    ...names.flatMap((name) =>
      options[name] === undefined ? [] : [`--${name} ${quote(String(options[name]))}`],
    ),
    ...(slowerThan === undefined ? [] : [`--slower-than ${Math.ceil(slowerThan / 1000)}s`]),
    ...(tag === undefined ? [] : [`--tag ${quote(tag.join('='))}`]),
  ];
  return [logsWords(subject), ...words].join(' ');
}
