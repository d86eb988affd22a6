// Entries as items: packed where they are large, and never larger than DynamoDB takes.
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toLogEntry, toLogItem, toReadableEntry } from '../../../adapters/dynamodb/log-items.ts';
import { entryOf, FACTS } from '../../core/logs/entries.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const [MODEL_CALL] = FACTS.run!.modelCalls;
const runOf = (changes: object) => ({ ...FACTS.run!, ...changes });
/** Text that gzip can make a quarter smaller and no more. */
const noise = (length: number, seed: number) =>
  Array.from({ length: Math.ceil(length / 86) }, (_, index) =>
    createHash('sha512').update(`${seed} ${index}`).digest('base64url'),
  )
    .join('')
    .slice(0, length);
const LARGE = { input: 'secret '.repeat(1_000) };

describe('an entry as an item', () => {
  it('keeps small texts readable, so that a query by hand shows them', () => {
    const item = toLogItem(entryOf(), 1);
    expect(item).toMatchObject({ input: { text: 'secret input' }, trace: [{}, {}] });
    expect(item).not.toHaveProperty('packed');
  });

  it('packs texts and trace above 2 KB, which gunzip reads, and nothing that is summed up', () => {
    const item = toLogItem(entryOf(LARGE), 1);
    expect(item).not.toHaveProperty('input');
    expect(item).not.toHaveProperty('trace');
    expect(item).toMatchObject({ tokensInput: 3, modelCalls: [{ model: 'm-1' }], username: 'ann' });
    const packed = item['packed'] as Uint8Array;
    expect(packed.byteLength).toBeLessThan(1_000);
    expect(JSON.parse(gunzipSync(packed).toString())).toMatchObject({
      input: { kind: 'full', bytes: 7_000 },
      output: { text: 'secret output' },
      trace: [{ type: 'systemInstructions' }, { type: 'callModel' }],
    });
  });

  it.each([
    ['small', {}],
    ['large', LARGE],
    ['without a run', { run: undefined, input: undefined, code: 'internal' as const }],
  ])('reads back as it was: %s', (_name, changes) => {
    const entry = entryOf(changes);
    expect(plain(toLogEntry(toLogItem(entry, 4)))).toEqual(plain(entry));
  });

  it('reads back how long a guard took and why it did not judge, and no wrong types', () => {
    const down = {
      ...{ guard: 'ours', type: 'webhook', stage: 'input', action: 'block', finds: [] },
      ...{ ms: 99, notJudged: 'connection' },
    };
    const item = { ...toLogItem(entryOf({}), 4), guards: [down, { ...down, ms: 'x', notJudged: null }] };
    const { ms, notJudged, ...others } = down;
    expect([ms, notJudged]).toEqual([99, 'connection']);
    expect(toReadableEntry(item).guards).toEqual([down, others]);
  });

  it('reads back fingerprints of finds, and nothing else beside them', () => {
    const finds = [{ type: 'email', count: 2, fingerprints: ['0123456789abcdef'] }];
    const guard = { guard: 'pii', type: 'pii', stage: 'input', action: 'flag', finds };
    const other = { ...finds[0], fingerprints: [1, {}], value: 'ann' };
    const item = { ...toLogItem(entryOf({}), 4), guards: [guard, { ...guard, finds: [other] }] };
    const plainFinds = [{ type: 'email', count: 2 }];
    expect(toReadableEntry(item).guards).toEqual([guard, { ...guard, finds: plainFinds }]);
  });

  it('gives up the texts of the trace first, then all texts, with a mark', () => {
    const trace = Array.from({ length: 90 }, (_, atMs) => ({
      type: 'callModel',
      atMs,
      input: noise(3_300, atMs),
    }));
    const cutOf = (input: string) => toLogEntry(toLogItem(entryOf({ input, run: runOf({ trace }) }), 1));
    const first = cutOf(noise(300_000, 0));
    expect(first).toMatchObject({ cut: true, input: { bytes: 300_000 } });
    expect(first.trace).toHaveLength(90);
    expect(first.trace[0]).toEqual({ type: 'callModel', atMs: 0 });
    const then = cutOf(noise(600_000, 0));
    expect(then.cut).toBe(true);
    expect(then.input).toBeUndefined();
    expect(then.trace).toHaveLength(90);
  });

  it('keeps the first hundred model calls and steps when even the texts were not too much', () => {
    const modelCalls = Array.from({ length: 1_000 }, () => ({ ...MODEL_CALL!, model: 'm'.repeat(300) }));
    const trace = modelCalls.map((_, atMs) => ({ type: 'callModel', atMs }));
    const found = toLogEntry(toLogItem(entryOf({ run: runOf({ modelCalls, trace }) }), 1));
    expect(found.cut).toBe(true);
    expect(found.modelCalls).toHaveLength(100);
    expect(found.trace).toHaveLength(100);
    expect(found.tokensInput).toBe(3_000);
  });
});
