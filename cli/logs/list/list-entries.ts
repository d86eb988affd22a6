// Lists entries of the audit log as a table of the newest, as lines of JSON or as CSV, or shows one in full.
import type { LogProgress } from '../../../core/ports/log-reader.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { FullEntryLine } from '../../json/log.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';
import { createProgress } from '../../output/progress.ts';
import { escapeFormulas, quoteCell } from '../../output/spreadsheet.ts';
import type { Ports } from '../../session/ports.ts';
import { LOG_COLUMNS, MIXED_COLUMNS, renderEntry, toLogJson } from './log-view.ts';
import { createKeyNames, type NamedEntry, type OwnersQuery, type OwnersReader } from './read-owners.ts';

/** Max. rows of a table. `--json` prints all. */
const MAX_ROWS = 1_000;
/** Max. number of entries that are counted beyond the table. */
const MAX_COUNTED = 100_000;
const DAY_MS = 86_400_000;

interface Listing {
  readonly query: OwnersQuery;
  readonly subject: string;
  /** The same query as a command, without its time range. */
  readonly command: string;
  readonly csv: boolean;
  /** True for entries of several organizations. */
  readonly isMixed: boolean;
}

interface ListPorts {
  readonly logReader: OwnersReader;
  readonly clock: Clock;
}

/** Entries beyond the table are only counted. */
export async function listEntries(
  { query, subject, command, csv, isMixed }: Listing,
  { logReader, clock }: ListPorts,
  out: Output,
): Promise<void> {
  const entries = reportProgress(query, { logReader, clock }, out);
  if (csv) {
    out.raw(CSV_HEADER);
    for await (const entry of entries) out.raw(toCsvLine(entry));
    return;
  }
  if (out.json) {
    for await (const entry of entries) out.value(toLogJson(entry), '');
    return;
  }
  const rows: NamedEntry[] = [];
  let omitted = 0;
  for await (const entry of entries) {
    if (rows.length < MAX_ROWS) rows.push(entry);
    else omitted += 1;
    if (omitted === MAX_COUNTED) break;
  }
  const period = `between ${toIso(query.fromMs)} and ${toIso(query.toMs)}`;
  const hint =
    query.toMs - query.fromMs < DAY_MS && query.fromMs < query.toMs
      ? ` Run \`neuron ${command} --since 1d\` to look further back.`
      : '';
  out.list(rows, isMixed ? MIXED_COLUMNS : LOG_COLUMNS, `No entries of ${subject} ${period}.${hint}`);
  const oldest = rows.at(-1);
  if (omitted > 0 && oldest !== undefined)
    out.message(describeOmitted(omitted, oldest, `${command} --from ${toIso(query.fromMs)}`));
}

/** Yields the entries of the query, and reports how far a long one is. */
async function* reportProgress(
  query: OwnersQuery,
  { logReader, clock }: ListPorts,
  out: Output,
): AsyncGenerator<NamedEntry> {
  const report = createProgress(clock, out);
  let count = 0;
  let hours = '';
  const describe = () => `${count} entries so far${hours}`;
  const onHour = ({ hoursRead, hoursInAll }: LogProgress) => {
    hours = `, ${hoursRead} of ${hoursInAll} hours read`;
    if (hoursRead < hoursInAll) report(describe);
  };
  for await (const entry of logReader.list(query, onHour)) {
    count += 1;
    report(describe);
    yield entry;
  }
}

/** The end is exclusive, and other entries may have the time of the last row, so that row is shown again. */
function describeOmitted(omitted: number, { timeMs }: NamedEntry, command: string): string {
  const number = `${omitted === MAX_COUNTED ? 'At least ' : ''}${omitted} older ${omitted === 1 ? 'entry is' : 'entries are'}`;
  return `${number} not shown. Continue with \`neuron ${command} --to ${toIso(timeMs + 1)}\`, narrow the time range, or pass --json.`;
}

interface EntryRequest {
  readonly executionId: string;
  readonly organizationId: string;
  readonly neuronId: string | undefined;
  /** Name of the owner, for the failure. */
  readonly subject: string;
}

/** Throws the same `CommandFailure` for an unknown entry and for one of another owner. */
export async function showEntry(
  { executionId, organizationId, neuronId, subject }: EntryRequest,
  { logReader, keys }: Pick<Ports, 'logReader' | 'keys'>,
  out: Output,
): Promise<void> {
  const entry = await logReader.find(executionId);
  const isSelected =
    entry !== undefined &&
    entry.organizationId === organizationId &&
    (neuronId === undefined || entry.neuronId === neuronId);
  if (!isSelected) {
    throw new CommandFailure({
      what: `There is no entry ${executionId} of ${subject}.`,
      why: 'It may be older than the retention, belong to another organization, or not be stored yet.',
      remedy: 'If the entry was lost with its function, run `neuron logs restore`.',
    });
  }
  if (entry.textsWithheld)
    out.message('Texts, trace and feedback are not shown: these credentials may not read them.');
  const keyName = await createKeyNames(keys, out)(organizationId, entry.keyId);
  const namedEntry = { ...entry, keyName };
  const line: FullEntryLine = { ...namedEntry, ...toLogJson(namedEntry) };
  out.value(line, renderEntry(namedEntry, out.paint));
}

const COLUMNS = [
  'time',
  'organization',
  'neuron',
  'version',
  'outcome',
  'status',
  'code',
  'reason',
  'count',
  'cache',
  'latencyMs',
  'tokensInput',
  'tokensOutput',
  'costMicrodollars',
  'username',
  'keyId',
  'sourceIp',
  'executionId',
  'restored',
  'timeMs',
  'keyName',
] as const;

const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

function toCsvLine(entry: NamedEntry): string {
  const json = toLogJson(entry);
  return `${COLUMNS.map((name) => toCell(json[name])).join(',')}\r\n`;
}

/** Callers choose usernames, which must not become formulas. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? quoteCell(printableLine(escapeFormulas(value))) : String(value);
}
