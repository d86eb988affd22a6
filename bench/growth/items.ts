// The items of the tables by number: a neuron with its version, a key, a counter and a log entry, all of the same size. Each organization
// has a hundred neurons and the head of a chain of seals; one entry in a thousand is nearly the largest that the log keeps.
import type { Item } from '../../adapters/dynamodb/client.ts';
import { neuronItem, organizationItem, versionItem } from '../../adapters/dynamodb/config-items.ts';
import { keyItemKey } from '../../adapters/dynamodb/key-store.ts';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { headAttributes, headKeys } from '../../adapters/dynamodb/seals/seal-items.ts';
import { generateApiKey, type NewApiKey } from '../../core/access/api-key.ts';
import type { TableName } from '../../core/contract/tables.ts';
import { counterKey } from '../../core/limits/counter-key.ts';
import { entryOf, FACTS } from '../../test/core/logs/entries.ts';
import { createMemoryRandom } from '../../test/support/memory/random.ts';
import { textOf } from './texts.ts';

/** Tables that grow. */
export type GrowingTable = Extract<TableName, 'config' | 'keys' | 'counters' | 'logs' | 'usage'>;

/** Neurons of one organization. */
export const OF_ONE = 100;
/** One entry of so many is large. */
const LARGE_EVERY = 1_000;
/** Of its texts. They do not get smaller when they are packed. */
const LARGE_CHARACTERS = 450_000;
const TEN_DAYS_MS = 10 * 86_400_000;
const MADE_AT = '2026-11-21T12:00:00.000Z';
const STAMP = { createdAt: MADE_AT, updatedAt: MADE_AT, updatedBy: 'bench' };
const LIMIT = { metric: 'requests', scope: 'user', limit: 1_000_000_000, period: '1d' } as const;

/** Whose the items of a number are; names are as long for every number below ten million. */
export interface Identity {
  readonly organization: string;
  readonly organizationId: string;
  readonly neuron: string;
  readonly neuronId: string;
  readonly key: NewApiKey;
}

export function identityOf(number: number): Identity {
  const organization = `o-${String(Math.floor(number / OF_ONE)).padStart(5, '0')}`;
  const neuron = `n-${String(number).padStart(7, '0')}`;
  return {
    ...{ organization, organizationId: `id-${organization}` },
    ...{ neuron, neuronId: `id-${neuron}` },
    key: generateApiKey(createMemoryRandom(number + 1)),
  };
}

/** The items of a number among `size`. `nowMs`: the counter is of that day, and entries are of the ten days before. */
export function itemsOf(number: number, size: number, nowMs: number): Record<GrowingTable, Item[]> {
  const identity = identityOf(number);
  return {
    config: [...(number % OF_ONE === 0 ? [organizationOf(identity)] : []), ...neuronOf(identity)],
    keys: [keyOf(identity)],
    counters: [counterOf(identity, nowMs)],
    logs: [logOf(identity, nowMs - Math.floor((number / size) * TEN_DAYS_MS), number)],
    usage: number % OF_ONE === 0 ? [headOf(identity, nowMs)] : [],
  };
}

function organizationOf({ organization, organizationId }: Identity): Item {
  const document = { organization, providers: { demo: { type: 'echo' } } };
  return organizationItem({
    ...{ id: organizationId, slug: organization, document, pause: undefined, write: 1 },
    ...STAMP,
  });
}

function neuronOf({ organization, organizationId, neuron, neuronId }: Identity): Item[] {
  const document = {
    neuron: `${organization}/${neuron}`,
    access: { apiKey: true },
    rateLimits: [LIMIT],
    logging: { bodies: 'full' },
    // So that an entry may become as large as the log keeps one.
    maxInputBytes: 1_000_000,
  };
  const deployed = {
    latestVersion: 1,
    deployment: { version: 'v1', number: 1 },
    previewKeys: {},
    deployments: 1,
    cacheGeneration: 0,
    write: 1,
  };
  const version = { id: 'v1', number: 1, neuronId, createdAt: MADE_AT, author: 'bench', message: undefined };
  const flow = [{ callModel: { provider: 'demo', model: 'echo-1' } }];
  return [
    neuronItem(organization, { id: neuronId, organizationId, slug: neuron, document, ...deployed, ...STAMP }),
    versionItem(organization, { ...version, flowDigest: '0'.repeat(64), flow }),
  ];
}

function keyOf({ organizationId, key }: Identity): Item {
  const { digest, keyId, prefix, lastFour } = key;
  const stored = { keyId, organizationId, name: 'bench', prefix, lastFour };
  return { ...keyItemKey(digest), ...stored, createdAt: MADE_AT, createdBy: 'bench' };
}

function counterOf({ neuronId, key }: Identity, nowMs: number): Item {
  const subject = { kind: 'keyId', name: key.keyId } as const;
  const pk = counterKey({ ownerId: neuronId, scope: LIMIT.scope, period: LIMIT.period, subject }, nowMs);
  return { pk, requestsTaken: 1, takenAtMs: nowMs, expiresAt: Math.floor(nowMs / 1_000) + 172_800 };
}

function logOf(
  { organization, organizationId, neuron, neuronId, key }: Identity,
  timeMs: number,
  number: number,
): Item {
  const subject = { ...FACTS.subject, organization, organizationId, neuron, neuronId };
  // With a name, so that it is in every index.
  const caller = { ...FACTS.caller, username: `user-${number % 1_000}`, keyId: key.keyId };
  const failed = number % 10 === 0 ? { code: 'rate_limited' as const, run: undefined } : {};
  const large = number % LARGE_EVERY === 0 ? { input: textOf(number, LARGE_CHARACTERS) } : {};
  return toLogItem(
    entryOf({ executionId: `entry-${number}`, timeMs, subject, caller, ...failed, ...large }),
    1,
  );
}

function headOf({ organizationId }: Identity, nowMs: number): Item {
  const head = { chain: organizationId, sequence: 1, hash: '0'.repeat(64), sealedAtMs: nowMs };
  return { ...headKeys(organizationId), ...headAttributes(head) };
}
