// The hourly heads: a line for each chain, and an object with all of them where there is a bucket.
import { describe, expect, it } from 'vitest';
import type { SealHead } from '../../../core/ports/seals.ts';
import { type HeadsPorts, writeHeads } from '../../../lambdas/heads/write-heads.ts';
import { NOON_MS } from '../../core/logs/entries.ts';
import { createMemoryLines } from '../../support/memory/lines.ts';

const HEADS: readonly SealHead[] = [
  { chain: 'org-1', sequence: 12, hash: 'a'.repeat(64), sealedAtMs: NOON_MS - 5_000 },
  { chain: 'SERVICE', sequence: 1, hash: 'b'.repeat(64), sealedAtMs: NOON_MS - 86_400_000 },
];
const LINES = [
  `{"neuronLogHead":"12:${'a'.repeat(64)}","chain":"org-1","sealedAt":"2026-11-21T12:29:55.000Z"}`,
  `{"neuronLogHead":"1:${'b'.repeat(64)}","chain":"SERVICE","sealedAt":"2026-11-20T12:30:00.000Z"}`,
];

function ports(heads: readonly SealHead[], putObject?: HeadsPorts['putObject']) {
  const lines = createMemoryLines();
  return {
    ...{
      folder: 'neuron-heads/111122223333/eu-central-1/prod',
      lines,
      putObject,
      clock: { now: () => NOON_MS },
    },
    async *heads() {
      yield* heads;
    },
  };
}

describe('the heads of every hour', () => {
  it('are a line each', async () => {
    const input = ports(HEADS);
    await writeHeads(input);
    expect(input.lines.lines).toEqual(LINES);
  });

  it('are one object in the bucket, named by its time', async () => {
    const objects: [string, string][] = [];
    await writeHeads(ports(HEADS, async (key, body) => void objects.push([key, body])));
    expect(objects).toEqual([
      ['neuron-heads/111122223333/eu-central-1/prod/2026-11-21T12-30-00Z.jsonl', `${LINES.join('\n')}\n`],
    ]);
  });

  it('are lines even when the bucket refuses the object, and the function fails so that it runs again', async () => {
    const input = ports(HEADS, () => Promise.reject(new Error('the bucket audit-heads answered 403')));
    await expect(writeHeads(input)).rejects.toThrow('answered 403');
    expect(input.lines.lines).toEqual(LINES);
  });

  it('are all there for ten thousand organizations, each once, in an object of a megabyte and a half', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      chain: String(index).padStart(24, '0'),
      sequence: index + 1,
      hash: 'c'.repeat(64),
      sealedAtMs: NOON_MS,
    }));
    const objects: string[] = [];
    const input = ports(many, async (_key, body) => void objects.push(body));
    await writeHeads(input);
    const chains = input.lines.lines.map((line) => (JSON.parse(line) as { readonly chain: string }).chain);
    expect(chains).toEqual(many.map(({ chain }) => chain));
    expect(objects).toEqual([`${input.lines.lines.join('\n')}\n`]);
    expect(Buffer.byteLength(objects[0] ?? '')).toBeLessThan(2_000_000);
  });

  it('are nothing at all where nothing is sealed', async () => {
    const input = ports([], () => Promise.reject(new Error('not to be called')));
    await writeHeads(input);
    expect(input.lines.lines).toEqual([]);
  });
});
