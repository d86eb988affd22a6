// Bodies that are made to cost work before any limit is asked: rejected within 50 ms of CPU, whatever they hold. AWS takes at most 6 MB.
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { parseBody } from '../../../core/surfaces/parse.ts';
import { countValues, hasMoreValues } from '../../../core/text/json.ts';
import { bodiesOf, HOSTILE_BODIES, MAX_INPUT_BYTES } from './hostile-bodies.ts';

const MAX_CPU_MS = 50;

/** Milliseconds of CPU that a body takes: the least of at most three, since other work on the machine adds to them. */
function cpuMsOf(body: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && least >= MAX_CPU_MS; time += 1) {
    const before = process.threadCpuUsage();
    expect(() =>
      parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, MAX_INPUT_BYTES),
    ).toThrow();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

it.each(Object.keys(HOSTILE_BODIES))('a body of %s is rejected in time, whatever its size', (kind) => {
  for (const body of bodiesOf(kind)) expect(cpuMsOf(body)).toBeLessThan(MAX_CPU_MS);
});

describe('the values of a body', () => {
  it('are counted without those in texts', () => {
    expect(hasMoreValues('[1,2,3]', 3)).toBe(false);
    expect(hasMoreValues('[1,2,3,{}]', 4)).toBe(true);
    expect(hasMoreValues(`{"a":"${',[{'.repeat(100)}"}`, 2)).toBe(false);
    expect(hasMoreValues(`{"a":"\\\\\\"${','.repeat(100)}","b":1}`, 4)).toBe(false);
    expect(hasMoreValues(`{"a":"\\\\\\"${','.repeat(100)}","b":1}`, 3)).toBe(true);
    expect(hasMoreValues(`{"a":"\\\\",${'1,'.repeat(100)}}`, 50)).toBe(true);
  });

  it('are counted right behind backslashes of every number', () => {
    for (const around of [0, 64, 128, 512, 1_024, 1_088, 2_048, 2_112])
      for (let pairs = Math.max(0, around / 2 - 3); pairs < around / 2 + 4; pairs += 1)
        for (const before of ['', ',', 'a'.repeat(63), '\\n', '\\"']) {
          const text = before + '\\\\'.repeat(pairs);
          expect(countValues(`{"a":"${text}","b":[1,2]}`, 99)).toBe(6);
          expect(countValues(`{"a":"${text}\\",[,{","b":[1,2]}`, 99)).toBe(6);
        }
  });

  it('are 150,000 at most, and the error says so', () => {
    expect(() => parseBody(`{"x":[${'1,'.repeat(149_990)}1]}`)).not.toThrow();
    expect(() => parseBody(`{"x":[${'1,'.repeat(150_001)}1]}`)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        detail: 'The body has more than 150000 values and names. Send less in one request.',
      }),
    );
  });
});
