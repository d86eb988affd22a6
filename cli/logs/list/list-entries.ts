// Lists entries of the audit log, as a table of the newest or as lines of JSON, and shows one in full.
import type { LogProgress } from '../../../core/ports/log-reader.ts';
import type { Clock } from '../../../core/time/clock.ts';
import type { FullEntryLine } from '../../json/log.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { CSV_HEADER, toCsvLine } from './log-csv.ts';
import { LOG_COLUMNS, MIXED_COLUMNS, renderEntry, toLogJson } from './log-view.ts';
import { createKeyNames, type NamedEntry, type OwnersQuery, type OwnersReader } from './read-owners.ts';

/** Rows of a table; `--json` has no bound. */
const MAX_ROWS = 1_000;
/** How many entries beyond the table are counted. */
const MAX_COUNTED = 100_000;
/** Between two progress messages of a long query. */
const PROGRESS_MS = 2_000;
const DAY_MS = 86_400_000;

/** A query and how to name its subject. */
interface Listing {
  readonly query: OwnersQuery;
  readonly subject: string;
  /** The words that ask for it again, but for its time range. */
  readonly command: string;
  readonly csv: boolean;
  /** True for entries of several organizations. */
  readonly isMixed: boolean;
}

/** Prints pages as they are read; entries beyond the table are only counted. */
export async function listEntries(
  { query, subject, command, csv, isMixed }: Listing,
  { logReader, clock }: { readonly logReader: OwnersReader; readonly clock: Clock },
  out: Output,
): Promise<void> {
  const progress = createProgress(clock, out);
  const entries = logReader.list(query, progress.onHour);
  if (csv) {
    out.raw(CSV_HEADER);
    for await (const entry of entries) {
      progress.onEntry();
      out.raw(toCsvLine(entry));
    }
    return;
  }
  if (out.json) {
    for await (const entry of entries) {
      progress.onEntry();
      out.value(toLogJson(entry), '');
    }
    return;
  }
  const rows: NamedEntry[] = [];
  let leftOut = 0;
  for await (const entry of entries) {
    progress.onEntry();
    if (rows.length < MAX_ROWS) rows.push(entry);
    else leftOut += 1;
    if (leftOut === MAX_COUNTED) break;
  }
  const period = `between ${new Date(query.fromMs).toISOString()} and ${new Date(query.toMs).toISOString()}`;
  const hint =
    query.toMs - query.fromMs < DAY_MS && query.fromMs < query.toMs
      ? ` Run \`neuron ${command} --since 1d\` to look further back.`
      : '';
  out.list(rows, isMixed ? MIXED_COLUMNS : LOG_COLUMNS, `No entries of ${subject} ${period}.${hint}`);
  const oldest = rows.at(-1);
  if (leftOut > 0 && oldest !== undefined)
    out.message(describeLeftOut(leftOut, oldest, `${command} --from ${toIso(query.fromMs)}`));
}

/** The end is exclusive, and other entries may have the time of the last row, so that row is shown again. */
function describeLeftOut(leftOut: number, { timeMs }: NamedEntry, command: string): string {
  const number = `${leftOut === MAX_COUNTED ? 'At least ' : ''}${leftOut} older ${leftOut === 1 ? 'entry is' : 'entries are'}`;
  return `${number} not shown. Continue with \`neuron ${command} --to ${toIso(timeMs + 1)}\`, narrow the time range, or pass --json.`;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Reports the progress of a long query on standard error. */
function createProgress(clock: Clock, out: Output) {
  let reportedMs = clock.now();
  let entries = 0;
  let hours = '';
  const report = () => {
    if (clock.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = clock.now();
    out.message(`${entries} entries so far${hours}`);
  };
  return {
    onEntry() {
      entries += 1;
      report();
    },
    onHour({ hoursRead, hoursInAll }: LogProgress) {
      hours = `, ${hoursRead} of ${hoursInAll} hours read`;
      if (hoursRead < hoursInAll) report();
    },
  };
}

/** Which entry, and the owner it must have. */
interface EntryRequest {
  readonly executionId: string;
  readonly organizationId: string;
  readonly neuronId: string | undefined;
  /** The organization or neuron, for the failure. */
  readonly subject: string;
}

/** Throws `CommandFailure` for an unknown entry, and likewise for one of another organization or neuron. */
export async function showEntry(
  { executionId, organizationId, neuronId, subject }: EntryRequest,
  { logReader, keys }: Pick<Ports, 'logReader' | 'keys'>,
  out: Output,
): Promise<void> {
  const entry = await logReader.find(executionId);
  const isMeant =
    entry !== undefined &&
    entry.organizationId === organizationId &&
    (neuronId === undefined || entry.neuronId === neuronId);
  if (!isMeant) {
    throw new CommandFailure({
      what: `There is no entry ${executionId} of ${subject}.`,
      why: 'It may be older than the retention, belong to another organization, or not be stored yet.',
      remedy: 'If the entry was lost with its function, run `neuron logs restore`.',
    });
  }
  const keyName = await createKeyNames(keys, out)(organizationId, entry.keyId);
  const named = { ...entry, keyName };
  const line: FullEntryLine = { ...named, ...toLogJson(named) };
  out.value(line, renderEntry(named, out.paint));
}
