// The options of `neuron logs`: which entries, and from when to when.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LogOutcome } from '../../core/contract/log-entry.ts';
import { quote } from '../output/command-line.ts';
import { usageFailure } from '../output/failure.ts';
import { readKeyId } from '../session/target.ts';
import { logsWords } from './logs-words.ts';
import { type Moment, parseLength, readMoment } from './read-moment.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Nothing is stored for longer than 365 days, and every hour of a range costs at least one query. */
const MAX_AGE_MS = 366 * DAY_MS;
/** Changes are few, and of interest for longer. */
const CHANGES_MS = 30 * DAY_MS;
const SKEW_MS = 60_000;
const OUTCOMES = ['success', 'stopped', 'failed', 'refused'] as const satisfies readonly LogOutcome[];

/** Parsed options of `neuron logs`. */
export interface LogOptions {
  /** A length of time before the end, or where to begin. */
  readonly since?: number | Moment;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly user?: string;
  readonly outcome?: LogOutcome;
  readonly status?: number;
  readonly key?: string;
  readonly ip?: string;
  readonly id?: string;
  /** Id of a deleted organization or neuron whose slug is used again. */
  readonly deleted?: string;
  readonly changes?: true;
  readonly follow?: true;
  readonly csv?: true;
}

export function addLogOptions(command: Command): Command {
  return command
    .option('--since <time>', 'how far back, such as 1d, or a start time (default: 1h)', readSince)
    .option('--from <time>', 'start time: yesterday, monday, 14:30, 2026-11-21, …', readMoment)
    .option('--to <time>', 'end time; a day or month is included', readMoment)
    .option('--user <username>', 'show only calls of this username')
    .addOption(new Option('--outcome <outcome>', 'show only calls with this outcome').choices(OUTCOMES))
    .option('--status <status>', 'show only calls with this HTTP status', readStatus)
    .option('--key <key>', 'show only calls with this API key, by id or prefix', readKeyId)
    .option('--ip <address>', 'show only calls from this address', readAddress)
    .option('--id <id>', 'show one entry in full, with its trace')
    .option('--deleted <id>', 'show calls of the deleted owner with this id, whose slug is used again')
    .option('--changes', 'show changes by operators instead (default: the last 30 days)')
    .option('--csv', 'print all entries as CSV')
    .option('--follow', 'show new entries as they arrive, until interrupted');
}

/** The options that select a time range. */
interface PeriodOptions {
  readonly since?: number | Moment | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
  readonly changes?: true;
  readonly follow?: true;
}

/** The time range in milliseconds since the Unix epoch, the end exclusive; empty where nothing is stored. Throws `CommandFailure` for one that ends before it begins. */
export function toPeriod({ since, from, to, changes, follow }: PeriodOptions, nowMs: number) {
  // Operators' clocks differ, and changes of the same moment get times a millisecond apart.
  const toMs = to?.end(nowMs) ?? nowMs + (changes ? SKEW_MS : 1);
  // Following starts now unless a time is given.
  const backMs = typeof since === 'number' ? since : follow ? 0 : changes ? CHANGES_MS : HOUR_MS;
  const fromMs = (typeof since === 'object' ? since : from)?.begin(nowMs) ?? toMs - backMs;
  if (fromMs >= toMs && !follow) throw usageFailure('The start time must be before the end time.');
  const beginMs = Math.max(fromMs, nowMs - MAX_AGE_MS);
  const endMs = Math.min(toMs, nowMs + DAY_MS);
  return { fromMs: follow ? beginMs : Math.min(beginMs, endMs), toMs: endMs };
}

/** Throws `CommandFailure` for options that cannot be combined. */
export function checkCombination(options: LogOptions): void {
  const { since, from, to, id, deleted, user, outcome, status, key, ip, changes, follow } = options;
  if (since !== undefined && from !== undefined)
    throw usageFailure('--since and --from were both given.', 'Pass one of them.');
  if (follow && (to !== undefined || id !== undefined || changes))
    throw usageFailure('--follow cannot be combined with --to, --id or --changes.', 'Omit one of them.');
  if (options.csv && (follow || changes || id !== undefined))
    throw usageFailure('--csv cannot be combined with --follow, --changes or --id.', 'Omit one of them.');
  if (deleted !== undefined && (changes || follow))
    throw usageFailure('--deleted cannot be combined with --changes or --follow.', 'Omit one of them.');
  if (changes && [user, outcome, status, key, ip].some((filter) => filter !== undefined))
    throw usageFailure(
      '--changes cannot be combined with --user, --outcome, --status, --key or --ip, which select calls.',
    );
}

function readSince(text: string): number | Moment {
  return parseLength(text) ?? readMoment(text);
}

function readAddress(text: string): string {
  if (!/^(?=.*[.:])[0-9A-Fa-f.:]{2,45}$/.test(text))
    throw new InvalidArgumentError('It must be an IP address, such as 203.0.113.7.');
  return text;
}

function readStatus(text: string): number {
  if (!/^[1-5][0-9]{2}$/.test(text))
    throw new InvalidArgumentError('It must be an HTTP status, such as 429.');
  return Number(text);
}

/** `logs acme/hello --user ann`: what a hint repeats, so that it asks for the same entries. */
export function renderFilters(subject: string, options: LogOptions): string {
  const names = ['user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;
  const words = names.flatMap((name) =>
    options[name] === undefined ? [] : [`--${name} ${quote(String(options[name]))}`],
  );
  return [logsWords(subject), ...words].join(' ');
}
