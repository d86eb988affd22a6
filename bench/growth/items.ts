// The items of the tables by number: a neuron with its versions, a key, a counter and a log entry, always of the same size. Each
// organization has a hundred neurons and the head of a chain of seals; one entry in a thousand is nearly the largest possible one, and one
// in ten is the rest of an entry whose person was erased. Each neuron has guards, tags and a rollout.
import type { Item } from '../../adapters/dynamodb/client.ts';
import { neuronItem, organizationItem, versionItem } from '../../adapters/dynamodb/config-items.ts';
import { keyItemKey } from '../../adapters/dynamodb/key-store.ts';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { headAttributes, headKeys } from '../../adapters/dynamodb/seals/seal-items.ts';
import { generateApiKey, type NewApiKey } from '../../core/access/api-key.ts';
import type { TableName } from '../../core/contract/tables.ts';
import { counterKey } from '../../core/limits/counter-key.ts';
import { toErasedRecord } from '../../core/logs/erasure/erased-record.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import { entryOf, FACTS } from '../../test/core/logs/entries.ts';
import { createMemoryRandom } from '../../test/support/memory/random.ts';
import { makeText } from './texts.ts';

/** Tables that grow. */
export type GrowingTable = Extract<TableName, 'config' | 'keys' | 'counters' | 'logs' | 'usage'>;

/** Neurons of one organization. */
export const NEURONS_PER_ORGANIZATION = 100;
/** One entry of so many is large. */
const LARGE_EVERY = 1_000;
/** Characters of a large entry's text, which gzip makes hardly smaller. */
const LARGE_CHARACTERS = 450_000;
/** One entry of so many was erased, and so many after the first of them. */
const ERASED = { every: 10, after: 7 } as const;
/** Half of the callers get the candidate. */
const HALF = 5_000;
const TEN_DAYS_MS = 10 * 86_400_000;
const MADE_AT = '2026-11-21T12:00:00.000Z';
const STAMP = { createdAt: MADE_AT, updatedAt: MADE_AT, updatedBy: 'bench' };
const LIMIT = { metric: 'requests', scope: 'user', limit: 1_000_000_000, period: '1d' } as const;

/** The owners of a number's items; names have the same length for every number below ten million. */
export interface Identity {
  readonly organization: string;
  readonly organizationId: string;
  readonly neuron: string;
  readonly neuronId: string;
  readonly key: NewApiKey;
}

export function identityOf(number: number): Identity {
  const organization = `o-${String(Math.floor(number / NEURONS_PER_ORGANIZATION)).padStart(5, '0')}`;
  const neuron = `n-${String(number).padStart(7, '0')}`;
  return {
    organization,
    organizationId: `id-${organization}`,
    neuron,
    neuronId: `id-${neuron}`,
    key: generateApiKey(createMemoryRandom(number + 1)),
  };
}

/** The items of a number among `size`. The counter is of the day of `nowMs`, entries are of the ten days before. */
export function makeItems(number: number, size: number, nowMs: number): Record<GrowingTable, Item[]> {
  const identity = identityOf(number);
  return {
    config: [
      ...(number % NEURONS_PER_ORGANIZATION === 0 ? [toOrganizationItem(identity)] : []),
      ...toNeuronItems(identity),
    ],
    keys: [toKeyItem(identity)],
    counters: [toCounterItem(identity, nowMs)],
    logs: [toEntryItem(identity, nowMs - Math.floor((number / size) * TEN_DAYS_MS), number)],
    usage: number % NEURONS_PER_ORGANIZATION === 0 ? [toHeadItem(identity, nowMs)] : [],
  };
}

function toOrganizationItem({ organization, organizationId }: Identity): Item {
  const guards = { personal: { type: 'pii', entities: ['email', 'iban'] } };
  const document = { organization, providers: { demo: { type: 'echo' } }, guards };
  return organizationItem({
    id: organizationId,
    slug: organization,
    document,
    pause: undefined,
    write: 1,
    ...STAMP,
  });
}

function toNeuronItems({ organization, organizationId, neuron, neuronId }: Identity): Item[] {
  const document = {
    neuron: `${organization}/${neuron}`,
    access: { apiKey: true },
    rateLimits: [LIMIT],
    logging: { bodies: 'full' },
    guards: [{ use: 'personal', on: ['input', 'output'], action: 'redact' }],
    tags: { team: 'growth', product: 'bench' },
    // Allows the largest entry that the log keeps.
    maxInputBytes: 1_000_000,
  };
  const deployed = {
    latestVersion: 2,
    rollout: rolloutOf(neuronId),
    deployment: { version: 'v1', number: 1 },
    previewKeys: {},
    deployments: 1,
    cacheGeneration: 0,
    write: 1,
  };
  const version = { neuronId, createdAt: MADE_AT, author: 'bench', message: undefined };
  const flow = [{ callModel: { provider: 'demo', model: 'echo-1' } }];
  return [
    neuronItem(organization, { id: neuronId, organizationId, slug: neuron, document, ...deployed, ...STAMP }),
    ...[1, 2].map((number) =>
      versionItem(organization, { ...version, id: `v${number}`, number, flowDigest: '0'.repeat(64), flow }),
    ),
  ];
}

function rolloutOf(neuronId: string) {
  const stages = [{ share: HALF, for: 3_600_000, runs: 100 }];
  return {
    id: neuronId.slice(-7).padStart(16, '0'),
    candidate: 'v2',
    basisPoints: HALF,
    by: 'address' as const,
    stages,
    stage: 0,
    stageSince: MADE_AT,
    since: MADE_AT,
    startedBy: 'bench',
  };
}

function toKeyItem({ organizationId, key }: Identity): Item {
  const { digest, keyId, prefix, lastFour } = key;
  const stored = { keyId, organizationId, name: 'bench', prefix, lastFour, tags: { plan: 'large' } };
  return { ...keyItemKey(digest), ...stored, createdAt: MADE_AT, createdBy: 'bench' };
}

function toCounterItem({ neuronId, key }: Identity, nowMs: number): Item {
  const subject = { kind: 'keyId', name: key.keyId } as const;
  const pk = counterKey({ ownerId: neuronId, scope: LIMIT.scope, period: LIMIT.period, subject }, nowMs);
  return { pk, requestsTaken: 1, takenAtMs: nowMs, expiresAt: Math.floor(nowMs / 1_000) + 172_800 };
}

function toEntryItem(
  { organization, organizationId, neuron, neuronId, key }: Identity,
  timeMs: number,
  number: number,
): Item {
  const subject = { ...FACTS.subject, organization, organizationId, neuron, neuronId };
  // With a username, so that the entry is in every index.
  const caller = { ...FACTS.caller, username: `user-${number % 1_000}`, keyId: key.keyId };
  const failed = number % 10 === 0 ? { code: 'rate_limited' as const, run: undefined } : {};
  const large = number % LARGE_EVERY === 0 ? { input: makeText(number, LARGE_CHARACTERS) } : {};
  const item = toLogItem(
    entryOf({ executionId: `entry-${number}`, timeMs, subject, caller, ...failed, ...large }),
    1,
  );
  const isErased = number % ERASED.every === ERASED.after;
  return isErased ? (toErasedRecord(item as StoredRecord, caller.username) as Item) : item;
}

function toHeadItem({ organizationId }: Identity, nowMs: number): Item {
  const head = { chain: organizationId, sequence: 1, hash: '0'.repeat(64), sealedAtMs: nowMs };
  return { ...headKeys(organizationId), ...headAttributes(head) };
}
