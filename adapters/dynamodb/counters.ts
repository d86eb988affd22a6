// Counters in DynamoDB: each reservation is one conditional UpdateItem, without a read.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type CountChange,
  CounterFailure,
  type CounterState,
  type CounterStore,
  type Lease,
  type LimitMetric,
  type ReserveOutcome,
  type ReserveRequest,
  type Settlement,
} from '../../core/ports/counters.ts';
import { sum } from '../../core/text/numbers.ts';
import type { ClientLimits } from './client.ts';

/** One attempt: a write that is sent twice counts twice. */
export const COUNTER_LIMITS: ClientLimits = {
  maxAttempts: 1,
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
};

/** Rejected before anything was written (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html). */
const THROTTLES: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

type Item = Readonly<Record<string, unknown>>;

/** Counters over a client with `COUNTER_LIMITS`. */
export function createCounterStore(client: DynamoDBDocumentClient, table: string): CounterStore {
  return {
    async reserve(request) {
      // On a new item the condition would pass, because the attribute that it compares does not exist yet.
      if (request.changes.some(({ taken, limit }) => taken > limit))
        return { reserved: false, state: undefined };
      try {
        const { Attributes } = await client.send(
          new UpdateCommand({ TableName: table, ...toUpdate(request) }),
        );
        return { reserved: true, state: toState(Attributes ?? {}) };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return toDenied(error);
        throw toFailure(error);
      }
    },
    async settle(settlement) {
      try {
        await client.send(new UpdateCommand({ TableName: table, ...toSettleUpdate(settlement) }));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw toFailure(error);
      }
    },
    async read(keys) {
      const answers = await Promise.all(
        keys.map((pk) =>
          client.send(new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true })),
        ),
      ).catch((error: unknown) => Promise.reject(toFailure(error)));
      const found = answers.flatMap(({ Item }) => (Item === undefined ? [] : [Item]));
      return new Map(found.map((item) => [String(item['pk']), toState(item)]));
    },
  };
}

/**
 * Condition expressions have no arithmetic. An item therefore stores `taken`, the sum of used and held, and the condition compares it
 * with the limit minus the change.
 */
function toUpdate({ key, changes, atMs, expiresAt, lease }: ReserveRequest) {
  const { endsAt, ended = [] } = lease ?? {};
  const adding = changes.filter(({ taken }) => taken > 0);
  const rooms = adding.map(({ metric, taken, limit }) => {
    const freed = metric === 'concurrent' ? countRuns(ended) : 0;
    return [`:${metric}Room`, limit - taken + freed] as const;
  });
  const added = additions(changes, { endsAt, ended });
  const countsRequest = adding.some(({ metric }) => metric === 'requests');
  const set = countsRequest ? 'SET takenAtMs = :atMs, expiresAt = :expiresAt' : 'SET expiresAt = :expiresAt';
  return {
    Key: { pk: key },
    UpdateExpression: [renderAdd(added), set, renderRemove(ended)].join(' ').trim(),
    ConditionExpression: [
      ...adding.map(
        ({ metric }) => `(attribute_not_exists(${metric}Taken) OR ${metric}Taken <= :${metric}Room)`,
      ),
      ...conditionsOn(ended),
    ].join(' AND '),
    ExpressionAttributeValues: {
      ...valuesOf([...added, ...ended.map(toAttribute)]),
      ...Object.fromEntries(rooms),
      ...(countsRequest ? { ':atMs': atMs } : {}),
      ':expiresAt': expiresAt,
    },
    ReturnValues: 'ALL_NEW' as const,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

/** Fails where the lease was removed before: its runs must not be subtracted twice. */
function toSettleUpdate({ key, changes, lease, ended = [] }: Settlement) {
  const added = additions(changes, { endsAt: lease, ended });
  const owned = lease === undefined ? ['attribute_exists(pk)'] : [`${leaseName(lease)} >= :one`];
  return {
    Key: { pk: key },
    UpdateExpression: [renderAdd(added), renderRemove(ended)].join(' ').trim(),
    ConditionExpression: [...owned, ...conditionsOn(ended)].join(' AND '),
    ExpressionAttributeValues: {
      ...valuesOf([...added, ...ended.map(toAttribute)]),
      ...(lease === undefined ? {} : { ':one': 1 }),
    },
  };
}

/** An attribute with a number to add to it, or to compare it with. */
type Amount = readonly [name: string, amount: number];

/** A lease is an attribute named after its end: an item has one for each different end, however many runs there are. */
function leaseName(endsAt: number): string {
  return `end${endsAt.toString(36)}`;
}

const LEASE_NAME = /^end([0-9a-z]+)$/;

function toAttribute({ endsAt, runs }: Lease): Amount {
  return [leaseName(endsAt), runs];
}

function countRuns(leases: readonly Lease[]): number {
  return sum(leases.map(({ runs }) => runs));
}

/** Subtracts the runs of leases that the same write removes. */
function additions(
  changes: readonly CountChange[],
  { endsAt, ended }: { readonly endsAt: number | undefined; readonly ended: readonly Lease[] },
): readonly Amount[] {
  const runs = changes.find(({ metric }) => metric === 'concurrent')?.taken ?? 0;
  return [
    ...changes.filter(({ metric }) => metric !== 'concurrent').flatMap(attributesOf),
    ...(endsAt === undefined && ended.length === 0
      ? []
      : [['concurrentTaken', runs - countRuns(ended)] as const]),
    ...(endsAt === undefined ? [] : [[leaseName(endsAt), runs] as const]),
  ];
}

/** A change of 0 to `held` is left out: requests are never held. */
function attributesOf({ metric, taken, held }: CountChange): readonly Amount[] {
  const counted = [`${metric}Taken`, taken] as const;
  return held === 0 ? [counted] : [counted, [`${metric}Held`, held] as const];
}

function renderAdd(amounts: readonly Amount[]): string {
  return `ADD ${amounts.map(([name]) => `${name} :${name}`).join(', ')}`;
}

function renderRemove(leases: readonly Lease[]): string {
  return leases.length === 0 ? '' : `REMOVE ${leases.map(({ endsAt }) => leaseName(endsAt)).join(', ')}`;
}

function conditionsOn(leases: readonly Lease[]): readonly string[] {
  return leases.map(({ endsAt }) => `${leaseName(endsAt)} = :${leaseName(endsAt)}`);
}

function valuesOf(amounts: readonly Amount[]): Record<string, number> {
  return Object.fromEntries(amounts.map(([name, amount]) => [`:${name}`, amount]));
}

/** Local engines may leave out the item; the caller reads it then. */
function toDenied({ Item }: ConditionalCheckFailedException): ReserveOutcome {
  if (Item === undefined) return { reserved: false, state: undefined };
  const numbers = Object.entries(Item).map(([name, value]) => [name, value.N]);
  return { reserved: false, state: toState(Object.fromEntries(numbers)) };
}

const METRICS = ['requests', 'tokens', 'cost', 'concurrent'] as const satisfies readonly LimitMetric[];

function toState(item: Item): CounterState {
  const counts = METRICS.filter((metric) => item[`${metric}Taken`] !== undefined).map((metric) => {
    const taken = Number(item[`${metric}Taken`]);
    // Every run in progress counts as held.
    return [metric, { taken, held: metric === 'concurrent' ? taken : Number(item[`${metric}Held`] ?? 0) }];
  });
  return {
    counts: Object.fromEntries(counts) as CounterState['counts'],
    atMs: Number(item['takenAtMs'] ?? 0),
    leases: Object.entries(item).flatMap(([name, runs]) => {
      const end = LEASE_NAME.exec(name)?.[1];
      return end === undefined ? [] : [{ endsAt: Number.parseInt(end, 36), runs: Number(runs) }];
    }),
  };
}

function toFailure(error: unknown): CounterFailure {
  const isThrottled = error instanceof Error && THROTTLES.has(error.name);
  return new CounterFailure(isThrottled ? 'throttled' : 'unknown', { cause: error });
}
