// Counters in DynamoDB: each reservation is one conditional UpdateItem, without a read.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type CountChange,
  CounterFailure,
  type CounterState,
  type CounterStore,
  LIMIT_METRICS,
  type ReserveOutcome,
  type ReserveRequest,
} from '../../core/ports/counters.ts';
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
      // On a new item the condition would pass, since the attribute that it compares does not exist yet.
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
    async settle({ key, changes }) {
      try {
        await client.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: key },
            UpdateExpression: `ADD ${additions(changes)}`,
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: amounts(changes),
          }),
        );
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
 * Condition expressions have no arithmetic. So an item stores `taken`, the sum of used and held, and the condition compares it with
 * the limit less the change.
 */
function toUpdate({ key, changes, atMs, expiresAt }: ReserveRequest) {
  const adding = changes.filter(({ taken }) => taken > 0);
  return {
    Key: { pk: key },
    UpdateExpression: `ADD ${additions(changes)} SET takenAtMs = :atMs, expiresAt = :expiresAt`,
    ConditionExpression: adding
      .map(({ metric }) => `(attribute_not_exists(${metric}Taken) OR ${metric}Taken <= :${metric}Room)`)
      .join(' AND '),
    ExpressionAttributeValues: {
      ...amounts(changes),
      ...Object.fromEntries(adding.map(({ metric, taken, limit }) => [`:${metric}Room`, limit - taken])),
      ':atMs': atMs,
      ':expiresAt': expiresAt,
    },
    ReturnValues: 'ALL_NEW' as const,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function additions(changes: readonly CountChange[]): string {
  return changes
    .flatMap(attributesOf)
    .map(([name]) => `${name} :${name}`)
    .join(', ');
}

function amounts(changes: readonly CountChange[]): Record<string, number> {
  return Object.fromEntries(changes.flatMap(attributesOf).map(([name, amount]) => [`:${name}`, amount]));
}

/** A change of 0 to `held` is left out: requests are never held. */
function attributesOf({ metric, taken, held }: CountChange): readonly (readonly [string, number])[] {
  const counted = [`${metric}Taken`, taken] as const;
  return held === 0 ? [counted] : [counted, [`${metric}Held`, held] as const];
}

/** Local engines may leave out the item; the caller then reads it. */
function toDenied({ Item }: ConditionalCheckFailedException): ReserveOutcome {
  if (Item === undefined) return { reserved: false, state: undefined };
  const numbers = Object.entries(Item).map(([name, value]) => [name, value.N]);
  return { reserved: false, state: toState(Object.fromEntries(numbers)) };
}

function toState(item: Item): CounterState {
  const counts = LIMIT_METRICS.filter((metric) => item[`${metric}Taken`] !== undefined).map((metric) => [
    metric,
    { taken: Number(item[`${metric}Taken`]), held: Number(item[`${metric}Held`] ?? 0) },
  ]);
  return {
    counts: Object.fromEntries(counts) as CounterState['counts'],
    atMs: Number(item['takenAtMs'] ?? 0),
  };
}

function toFailure(error: unknown): CounterFailure {
  const isThrottled = error instanceof Error && THROTTLES.has(error.name);
  return new CounterFailure(isThrottled ? 'throttled' : 'unknown', { cause: error });
}
