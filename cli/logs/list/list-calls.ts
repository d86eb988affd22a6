// Lists or follows the calls of one owner or of several.
import { digestInName, type KeyAdmin } from '../../../core/ports/keys.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { unknownKey } from '../../session/require-stored.ts';
import { renderTarget, type Target } from '../../session/target.ts';
import { findLogOwner, type LogOwner } from '../find-log-owner.ts';
import { type LogOptions, renderFilters, toPeriod } from '../log-options.ts';
import { listEntries } from './list-entries.ts';
import { createRowRenderer, LOG_COLUMNS, MIXED_COLUMNS, toLogJson } from './log-view.ts';
import {
  createKeyNames,
  type NamedEntry,
  type NamedOwner,
  type OwnersQuery,
  type OwnersReader,
  readOwners,
  withNamesOfUser,
} from './read-owners.ts';
import { selectWhole, takeNewest } from './select-whole.ts';

export async function listCalls(
  targets: readonly Target[],
  options: LogOptions,
  ports: Pick<Ports, 'store' | 'logReader' | 'keys' | 'changes' | 'clock' | 'stack' | 'secretReader'>,
  out: Output,
): Promise<void> {
  const { user: username, outcome, status, key: named, ip: sourceIp, deleted, csv, limit } = options;
  const { code, revision: version, slowerThan: slowerThanMs, provider, tag, guard } = options;
  const { clock, stack } = ports;
  const period = toPeriod(options, clock.now());
  const owners: NamedOwner[] = [];
  for (const target of new Map(targets.map((one) => [renderTarget(one), one])).values()) {
    const owner = await findLogOwner(target, { deleted, fromMs: period.fromMs }, ports, out);
    owners.push({ ...owner, organization: target.organization });
  }
  const isMixed = new Set(owners.map(({ organizationId }) => organizationId)).size > 1;
  const organizations = [...new Set(targets.map(({ organization }) => organization))];
  const keyId =
    named === undefined ? undefined : await checkKey({ named, organizations, ...period }, owners, ports, out);
  const nameKey = createKeyNames(ports.keys, out);
  const read = await withNamesOfUser(withoutCovered(owners), username, ports, out);
  const listed = readOwners(read, { logReader: ports.logReader, nameKey });
  const logReader = takeNewest(selectWhole(listed, { provider, tag, guard }, ports.logReader), limit);
  const filter = { outcome, status, keyId, sourceIp, code, version, slowerThanMs };
  if (options.follow) return printFollowed(filter, period.fromMs, { logReader, clock, stack, isMixed }, out);
  const subject = targets.map(renderTarget).join(' ');
  const command = renderFilters(subject, { ...options, key: keyId });
  const listing = { query: { ...filter, ...period }, subject, command, csv, isMixed };
  return listEntries(listing, { logReader, clock }, out);
}

/** Without neurons whose whole organization is listed, since their calls would be listed twice. */
function withoutCovered(owners: readonly NamedOwner[]): NamedOwner[] {
  const whole = owners.filter(({ neuronId }) => neuronId === undefined);
  return owners.filter(
    (owner) =>
      owner.neuronId === undefined ||
      !whole.some(({ organizationId }) => organizationId === owner.organizationId),
  );
}

/** The key by a name of it, the slugs for the error, and the period in milliseconds since the Unix epoch. */
interface KeyQuery {
  readonly named: string;
  readonly organizations: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The key's id. Throws `CommandFailure` where no owner has the key and no entry of the period names it. A key that was taken out of the table
 * still has its entries, and they are wanted most of all then.
 */
async function checkKey(
  { named, organizations, fromMs, toMs }: KeyQuery,
  owners: readonly LogOwner[],
  { keys, logReader }: { readonly keys: Pick<KeyAdmin, 'find'>; readonly logReader: Pick<LogReader, 'list'> },
  out: Output,
): Promise<string> {
  const isNamedByText = digestInName(named) !== undefined;
  const ids = new Set(owners.map(({ organizationId }) => organizationId));
  try {
    for (const id of ids) {
      const found = await keys.find(id, named);
      if (found !== undefined) return found.keyId;
    }
  } catch (error) {
    // Its text does not say which key it is.
    if (isNamedByText) throw error;
    out.message(`The keys could not be read, so whether there is a key ${named} was not checked.`);
    return named;
  }
  if (isNamedByText) throw unknownKey(organizations.join(' and '), named);
  for (const owner of owners)
    for await (const _entry of logReader.list({ ...owner, keyId: named, fromMs, toMs })) {
      out.warn(
        `The key ${named} has entries and is not stored. \`neuron keys audit\` finds keys that the change log knows and the table does not.`,
      );
      return named;
    }
  throw unknownKey(organizations.join(' and '), named);
}

const PAUSE_MS = 1_000;
/** Each query goes back this far, since an index lags behind its table. */
const OVERLAP_MS = 10_000;
/** One in this many queries goes back as far as the longest run: an entry has the time of its request but is written after the run. */
const QUERIES_PER_FULL_RANGE = 15;

/** Time after the longest run for its answer and the attempts to write its entry. */
const WRITE_ALLOWANCE_MS = 30_000;

interface FollowPorts {
  readonly logReader: OwnersReader;
  readonly clock: Ports['clock'];
}

interface FollowRange {
  /** Start of the shown entries; existing ones come first. */
  readonly fromMs: number;
  /** Max. time from a request to its entry. */
  readonly maxDelayMs: number;
}

/** Yields every entry once. Never ends by itself. */
export async function* followEntries(
  query: Omit<OwnersQuery, 'fromMs' | 'toMs'>,
  { fromMs, maxDelayMs }: FollowRange,
  { logReader, clock }: FollowPorts,
): AsyncGenerator<NamedEntry> {
  /** Times by id of the entries that a query may return again. */
  const seen = new Map<string, number>();
  for (let queries = 0; ; queries += 1) {
    const nowMs = clock.now();
    const lookbackMs = queries % QUERIES_PER_FULL_RANGE === 0 ? maxDelayMs : OVERLAP_MS;
    const sinceMs = queries === 0 ? fromMs : Math.max(fromMs, nowMs - lookbackMs);
    const found: NamedEntry[] = [];
    for await (const entry of logReader.list({ ...query, fromMs: sinceMs, toMs: nowMs + 1 })) {
      if (!seen.has(entry.executionId)) found.push(entry);
    }
    for (const entry of found.reverse()) {
      seen.set(entry.executionId, entry.timeMs);
      yield entry;
    }
    for (const [id, timeMs] of seen) if (timeMs < nowMs - maxDelayMs - PAUSE_MS) seen.delete(id);
    await clock.sleep(PAUSE_MS);
  }
}

/** Prints a line for each entry as it comes. */
async function printFollowed(
  query: Omit<OwnersQuery, 'fromMs' | 'toMs'>,
  fromMs: number,
  ports: FollowPorts & Pick<Ports, 'stack'> & { readonly isMixed: boolean },
  out: Output,
): Promise<void> {
  const range = { fromMs, maxDelayMs: Number(ports.stack.outputs.maxDeadlineMs) + WRITE_ALLOWANCE_MS };
  const renderEntryRow = createRowRenderer(ports.isMixed ? MIXED_COLUMNS : LOG_COLUMNS, out);
  for await (const entry of followEntries(query, range, ports))
    out.value(toLogJson(entry), renderEntryRow(entry));
}
