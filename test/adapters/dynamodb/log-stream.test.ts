// The log table's stream as Lambda hands it over: which records are entries of requests.
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { toLogItem } from '../../../adapters/dynamodb/log-items.ts';
import { beginAgainAt, readLogStream } from '../../../adapters/dynamodb/log-stream.ts';
import { entryOf, FACTS, NOON_MS } from '../../core/logs/entries.ts';

/** An attribute value as the stream writes it. */
function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  return { M: toImage(value as Record<string, unknown>) };
}

function toImage(item: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  const present = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, toAttribute(value)]));
}

/** A record in the shape of the example in Lambda's Developer Guide. */
function record(item: Record<string, unknown>, changes: Partial<DynamoDBRecord> = {}): DynamoDBRecord {
  return {
    eventID: '1',
    eventName: 'INSERT',
    dynamodb: {
      ApproximateCreationDateTime: NOON_MS / 1000 + 2,
      NewImage: toImage(item),
      SequenceNumber: '111',
    },
    ...changes,
  };
}

const CALL = FACTS.run!.modelCalls[0]!;
const item = (changes = {}) => toLogItem(entryOf(changes), 1);

describe('the stream of the log table', () => {
  it('gives an entry with its place and the time at which it was put', () => {
    const { entries, unreadable } = readLogStream({ Records: [record(item())] });
    expect(unreadable).toBe(0);
    expect(entries).toMatchObject([
      {
        sequenceNumber: '111',
        putAtMs: NOON_MS + 2_000,
        entry: {
          executionId: 'exec-1',
          organizationId: 'org-1',
          neuronId: 'neu-1',
          username: 'ann',
          outcome: 'success',
          costMicrodollars: 17,
          modelCalls: [{ provider: 'demo', model: 'm-1', tokensInput: 3, costMicrodollars: 17 }],
          latencyMs: 120,
          logShard: 0,
        },
      },
    ]);
  });

  it('gives the shard that the partition of an entry ends with, and none where someone put it elsewhere', () => {
    const partitions = ['neu-1#2026-11-21T12#12', 'neu-1#2026-11-21T12#0', '#3x', 'by hand', '#12345'];
    const Records = partitions.map((pk) => record({ ...item(), pk }));
    const { entries } = readLogStream({ Records });
    expect(entries.map(({ entry }) => entry?.logShard)).toEqual([12, 0, 0, 0, 0]);
  });

  it('gives an entry whose texts are packed, and one whose cost is unknown', () => {
    const [call] = FACTS.run!.modelCalls;
    const run = { ...FACTS.run!, modelCalls: [{ ...call!, costMicrodollars: null }] };
    const { entries } = readLogStream({ Records: [record(item({ input: 'x'.repeat(5_000), run }))] });
    expect(entries).toMatchObject([{ entry: { costMicrodollars: null, modelCalls: [{ model: 'm-1' }] } }]);
  });

  it('passes over what time to live deletes and what is changed', () => {
    const changed = record(item(), { eventName: 'MODIFY' });
    const ended = record(item(), { eventName: 'REMOVE' });
    expect(readLogStream({ Records: [changed, ended] })).toEqual({ entries: [], unreadable: 0 });
  });

  it('gives a change by an operator as it is stored, to be sealed and not counted', () => {
    const change = {
      pk: 'CHANGES#acme',
      sk: '2026-11-21T12:30:00.000Z#chg-1',
      by: 'local',
      actions: ['pause'],
    };
    const { entries, unreadable } = readLogStream({ Records: [record(change)] });
    expect(unreadable).toBe(0);
    expect(entries).toMatchObject([{ sequenceNumber: '111', record: change, entry: undefined }]);
  });

  it.each([
    ['an outcome that there is not', { outcome: 'lost' }],
    ['a count that is no number', { count: 'many' }],
    ['tokens with a fraction', { tokensInput: 1.5 }],
    ['no model calls', { modelCalls: undefined }],
    ['no neuron', { neuronId: undefined }],
    ['a neuron that no key can hold', { neuronId: 'n'.repeat(2_000) }],
    ['an organization with a foreign character', { organizationId: 'org#1' }],
    ['an API key that no key can hold', { keyId: 'k'.repeat(2_000) }],
    ['a username that is no text', { username: 7 }],
    ['a time that has no date', { timeMs: 8_640_000_000_000_001 }],
    ['an end that has no date', { expiresAt: 8_640_000_000_001 }],
    ['a model call that is none', { modelCalls: ['demo/m-1'] }],
    ['a model call that is null', { modelCalls: [null] }],
    ['a model that no key can hold', { modelCalls: [{ ...CALL, model: 'm'.repeat(900) }] }],
    ['a provider that is no text', { modelCalls: [{ ...CALL, provider: 7 }] }],
    ['a model call without tokens', { modelCalls: [{ ...CALL, tokensInput: undefined }] }],
    ['a model call whose cost is text', { modelCalls: [{ ...CALL, costMicrodollars: '17' }] }],
  ])(
    'says that it cannot read an entry with %s, and gives it to be sealed, and the others',
    (_name, broken) => {
      const { entries, unreadable } = readLogStream({
        Records: [record({ ...item(), ...broken }), record(item())],
      });
      expect(entries.map(({ entry }) => entry === undefined)).toEqual([true, false]);
      expect(unreadable).toBe(1);
    },
  );

  it('is told where to resume', () => {
    expect(beginAgainAt('111')).toEqual({ batchItemFailures: [{ itemIdentifier: '111' }] });
  });
});
