// The peak of a stage, and the numbers that follow from it: throttle, concurrency, shards and throughput of tables.
import * as z from 'zod/mini';
import type { TableName } from '../../core/contract/tables.ts';
import { members } from '../../core/settings/members.ts';
import { decimal, integer } from '../../core/settings/scalars.ts';

/** The load that a stage must answer without a 503. */
export const peak = members(
  {
    callsPerSecond: integer(1, 100_000),
    /** Seconds that a call takes on average, answers from the cache included. */
    secondsPerCall: decimal(0.01, 240),
    /** The share of the busiest organization. @default all calls */
    organizationCallsPerSecond: z.optional(integer(1, 100_000)),
  },
  'must be { callsPerSecond: N, secondsPerCall: N }',
);

/** Units per second; `warm` is there at once, `max` is where DynamoDB throttles. */
const tableThroughput = members(
  {
    warmReads: z.optional(integer(12_000, 1_000_000)),
    warmWrites: z.optional(integer(4000, 1_000_000)),
    maxReads: z.optional(integer(1, 1_000_000)),
    maxWrites: z.optional(integer(1, 1_000_000)),
  },
  'must be an object of units per second, such as { warmWrites: 8000 }',
);

/** Throughput of a table and of each of its indexes, by the table's name. */
export const throughput = members(
  {
    config: z.optional(tableThroughput),
    keys: z.optional(tableThroughput),
    counters: z.optional(tableThroughput),
    cache: z.optional(tableThroughput),
    logs: z.optional(tableThroughput),
    usage: z.optional(tableThroughput),
  } satisfies Record<TableName, unknown>,
  'must be an object of tables, such as { logs: { warmWrites: 8000 } }',
);

/** One item of DynamoDB takes 1,000 writes a second. Half of it: calls do not spread evenly over the items. */
export const CALLS_PER_SHARD = 500;

/** Lambda serves at most this many invocations a second with one environment (lambda/latest/dg/gettingstarted-limits.html). */
export const INVOCATIONS_PER_ENVIRONMENT = 10;

/** Time until a new environment has answered, at 1 GiB: 0.3 to 0.4 s measured (docs/performance.md), and what Lambda adds. */
export const START_SECONDS = 0.5;

/** How long the authorizer takes. */
export const AUTHORIZER_SECONDS = 0.02;

/** Units that a new on-demand table takes (amazondynamodb/latest/developerguide/on-demand-capacity-mode.html). */
const NEW_TABLE = { reads: 12_000, writes: 4000 };

/** The most that a table takes without a higher quota. */
const TABLE_QUOTA = 40_000;

/** Units of a call: two limits that reserve and settle, a place among runs at once, an entry of 1 KB; docs/scale.md has the table. */
const UNITS_PER_CALL = {
  keys: { reads: 1, writes: 0 },
  counters: { reads: 1, writes: 6 },
  cache: { reads: 2, writes: 3 },
  logs: { reads: 0, writes: 1 },
  usage: { reads: 0, writes: 3 },
} as const;

/**
 * One model call with all limits: 10 of the neuron, 10 of the organization and 10 of its key, reserved and settled, and its place among
 * runs at once. Further attempts and model calls reserve again.
 */
const MAX_COUNTER_WRITES = 64;

/** Requests that API Gateway admits; beyond them callers get 429. */
export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Limits of the functions; those that are undefined share the account's concurrency or have a default. */
export interface ReservedConcurrency {
  readonly authorizer: number;
  readonly execution: number;
  readonly rollup?: number | undefined;
  readonly traces?: number | undefined;
}

type WrittenConcurrency = Readonly<Partial<Record<keyof ReservedConcurrency, number | undefined>>>;

export type TableThroughput = z.output<typeof tableThroughput>;

/** Settings that a stage may set, and that follow from its peak otherwise. */
export interface Capacity {
  readonly throttle: Throttle;
  readonly reservedConcurrency: ReservedConcurrency | undefined;
  readonly logShards: number;
  readonly counterPeakPerSecond: number;
  readonly throughput: Partial<Readonly<Record<TableName, TableThroughput>>>;
}

export interface WrittenCapacity {
  readonly peak?: z.output<typeof peak> | undefined;
  readonly throttle?: Throttle | undefined;
  readonly reservedConcurrency?: WrittenConcurrency | undefined;
  readonly logShards?: number | undefined;
  readonly counterPeakPerSecond?: number | undefined;
  readonly throughput?: z.output<typeof throughput> | undefined;
}

/** Environments that answer everything that a throttle admits, even where all of them have to start. */
export function environmentsFor({ requestsPerSecond, burst }: Throttle, seconds: number): number {
  const inFlight = Math.ceil(burst + requestsPerSecond * (seconds + START_SECONDS));
  return Math.max(inFlight, Math.ceil((requestsPerSecond + burst) / INVOCATIONS_PER_ENVIRONMENT));
}

export function shardsFor(callsPerSecond: number): number {
  return Math.ceil(callsPerSecond / CALLS_PER_SHARD);
}

/** Capacity from what is written and from the peak; undefined where neither says enough (validate-capacity.ts says what is missing). */
export function toCapacity(written: WrittenCapacity): Capacity | undefined {
  const { peak: load, reservedConcurrency: reserved } = written;
  if (load === undefined) {
    const { throttle, logShards, counterPeakPerSecond = CALLS_PER_SHARD, throughput: set } = written;
    if (throttle === undefined || logShards === undefined) return undefined;
    const complete = reserved === undefined ? undefined : asComplete(reserved);
    if (reserved !== undefined && complete === undefined) return undefined;
    return {
      throttle,
      logShards,
      counterPeakPerSecond,
      reservedConcurrency: complete,
      throughput: present(set ?? {}),
    };
  }
  const { callsPerSecond, secondsPerCall, organizationCallsPerSecond = callsPerSecond } = load;
  const throttle = written.throttle ?? {
    requestsPerSecond: callsPerSecond,
    // Calls do not come evenly: half a second of them may come at once, and on a quiet stage ten.
    burst: Math.max(10, Math.ceil(callsPerSecond / 2)),
  };
  const readers = Math.ceil(callsPerSecond / 1000);
  return {
    throttle,
    reservedConcurrency: {
      authorizer: reserved?.authorizer ?? environmentsFor(throttle, AUTHORIZER_SECONDS),
      execution: reserved?.execution ?? environmentsFor(throttle, secondsPerCall),
      // One for each partition of the log table, which splits them before they are full.
      rollup: reserved?.rollup ?? Math.max(10, 2 * readers),
      traces: reserved?.traces ?? Math.max(5, 2 * readers),
    },
    logShards: written.logShards ?? shardsFor(organizationCallsPerSecond),
    counterPeakPerSecond:
      written.counterPeakPerSecond ?? Math.max(CALLS_PER_SHARD, organizationCallsPerSecond),
    throughput: merge(throughputOf(callsPerSecond, throttle), present(written.throughput ?? {})),
  };
}

function asComplete({ authorizer, execution, rollup, traces }: WrittenConcurrency) {
  return authorizer === undefined || execution === undefined
    ? undefined
    : { authorizer, execution, rollup, traces };
}

function present<Value>(record: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function merge(derived: Capacity['throughput'], set: Capacity['throughput']): Capacity['throughput'] {
  const names = Object.keys({ ...derived, ...set }) as TableName[];
  return Object.fromEntries(names.map((name) => [name, { ...derived[name], ...set[name] }]));
}

/** Only what a new table does not take anyway, and one maximum: a brake on a fault of ours. */
function throughputOf(
  callsPerSecond: number,
  { requestsPerSecond, burst }: Throttle,
): Capacity['throughput'] {
  const warm = Object.entries(UNITS_PER_CALL).map(([table, units]) => {
    const [reads, writes] = [units.reads * callsPerSecond, units.writes * callsPerSecond];
    return [
      table,
      {
        ...(reads > NEW_TABLE.reads ? { warmReads: reads } : {}),
        ...(writes > NEW_TABLE.writes ? { warmWrites: writes } : {}),
      },
    ] as const;
  });
  const tables: Record<string, TableThroughput> = Object.fromEntries(warm);
  const maxWrites = (requestsPerSecond + burst) * MAX_COUNTER_WRITES;
  if (maxWrites <= TABLE_QUOTA) tables['counters'] = { ...tables['counters'], maxWrites };
  return Object.fromEntries(Object.entries(tables).filter(([, units]) => Object.keys(units).length > 0));
}
