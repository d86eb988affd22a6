// Lists entries of the audit log, as a table of the newest or as lines of JSON, and shows one in full.
import type { ListedEntry, LogProgress, LogQuery } from '../../core/ports/log-reader.ts';
import type { Clock } from '../../core/time/clock.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { LOG_COLUMNS, renderEntry, toLogJson } from './log-view.ts';

/** More rows than anybody reads; `--json` has no bound. */
const MAX_ROWS = 1_000;
/** How many entries beyond the table are counted. */
const MAX_COUNTED = 100_000;
/** How often a long query says how far it has come. */
const PROGRESS_MS = 2_000;
const DAY_MS = 86_400_000;
const FURTHER = ' Pass --since 1d to look further back.';

/** A query and how to name its subject. */
interface Listing {
  readonly query: LogQuery;
  readonly subject: string;
}

/** Pages are read as they are printed; of what the table leaves out only the number is kept. */
export async function listEntries(
  { query, subject }: Listing,
  { logReader, clock }: Pick<Ports, 'logReader' | 'clock'>,
  out: Output,
): Promise<void> {
  const progress = createProgress(clock, out);
  const entries = logReader.list(query, progress.onHour);
  if (out.json) {
    for await (const entry of entries) {
      progress.onEntry();
      out.value(toLogJson(entry), '');
    }
    return;
  }
  const rows: ListedEntry[] = [];
  let leftOut = 0;
  for await (const entry of entries) {
    progress.onEntry();
    if (rows.length < MAX_ROWS) rows.push(entry);
    else leftOut += 1;
    if (leftOut === MAX_COUNTED) break;
  }
  const period = `between ${new Date(query.fromMs).toISOString()} and ${new Date(query.toMs).toISOString()}`;
  const hint = query.toMs - query.fromMs < DAY_MS && query.fromMs < query.toMs ? FURTHER : '';
  out.list(rows, LOG_COLUMNS, `No entries of ${subject} ${period}.${hint}`);
  const oldest = rows.at(-1);
  if (leftOut > 0 && oldest !== undefined) out.message(describeLeftOut(leftOut, oldest));
}

/** The end is exclusive, and other entries may have the very time of the last row: that row is shown again. */
function describeLeftOut(leftOut: number, { timeMs }: ListedEntry): string {
  const number = `${leftOut === MAX_COUNTED ? 'At least ' : ''}${leftOut} older ${leftOut === 1 ? 'entry is' : 'entries are'}`;
  return `${number} not shown. Continue with --to ${new Date(timeMs + 1).toISOString()}, narrow the time range, or pass --json.`;
}

/** Says on standard error how far a query has come that takes long. */
function createProgress(clock: Clock, out: Output) {
  let saidMs = clock.now();
  let entries = 0;
  let hours = '';
  const say = () => {
    if (clock.now() - saidMs < PROGRESS_MS) return;
    saidMs = clock.now();
    out.message(`${entries} entries so far${hours}`);
  };
  return {
    onEntry() {
      entries += 1;
      say();
    },
    onHour({ hoursRead, hoursInAll }: LogProgress) {
      hours = `, ${hoursRead} of ${hoursInAll} hours read`;
      if (hoursRead < hoursInAll) say();
    },
  };
}

/** Which entry, and whose it must be. */
interface EntryRequest {
  readonly executionId: string;
  readonly organizationId: string;
  readonly neuronId: string | undefined;
  /** The organization or neuron, for the failure. */
  readonly subject: string;
}

/** Throws `CommandFailure` for an entry of another organization or neuron just as for one that is not there. */
export async function showEntry(
  { executionId, organizationId, neuronId, subject }: EntryRequest,
  { logReader }: Pick<Ports, 'logReader'>,
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
  out.value(entry, renderEntry(entry, out.paint));
}
