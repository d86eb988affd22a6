// Bodies that are made to cost work before any limit is asked: rejected within 50 ms of CPU, whatever they hold. AWS takes at most 6 MB.
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { parseBody } from '../../../core/surfaces/parse.ts';
import { hasMoreValues } from '../../../core/text/json.ts';

const MAX_CPU_MS = 50;
const MAX_INPUT_BYTES = 262_144;

const tool = (members: string) =>
  `{"input":"x","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",${members}}}}]}`;
const call = (text: string) =>
  `{"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${JSON.stringify(text)}}}]}]}`;

/** A body of about so many bytes. */
const KINDS: Readonly<Record<string, (bytes: number) => string>> = {
  'empty lists in a tool': (bytes) => tool(`"x":[${'[],'.repeat(bytes / 3)}0]`),
  'choices in a schema': (bytes) =>
    `{"input":"x","responseFormat":{"type":"json_schema","json_schema":{"name":"s","schema":{"anyOf":[${'{},'.repeat(bytes / 3)}{}]}}}}`,
  'empty lists in the arguments of a call': (bytes) => call(`{"a":[${'[],'.repeat(bytes / 3)}0]}`),
  'deep nesting': (bytes) => `{"input":${'['.repeat(bytes)}`,
  'many messages': (bytes) =>
    `{"messages":[${'{"role":"user","content":"a"},'.repeat(bytes / 30)}{"role":"user","content":"a"}]}`,
  'one long text': (bytes) => `{"input":"${'a'.repeat(bytes + MAX_INPUT_BYTES)}"}`,
  'a text of escapes': (bytes) => `{"input":"${'\\"'.repeat(bytes / 2 + MAX_INPUT_BYTES)}"}`,
  'a text that has no end': (bytes) => `{"input":"${'a'.repeat(bytes)}`,
  'halves of surrogate pairs': (bytes) => `{"input":"${'\\ud800'.repeat(bytes / 6)}"}`,
  blanks: (bytes) => `${' '.repeat(bytes)}5`,
};

/** Milliseconds: the least of three, since other work on the machine adds to them. */
function cpuMsOf(body: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    expect(() =>
      parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, MAX_INPUT_BYTES),
    ).toThrow();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

describe.each(Object.entries(KINDS))('a body of %s', (_name, make) => {
  it.each([100_000, 400_000, 1_500_000, 5_700_000])('and %d bytes is rejected in time', (bytes) => {
    expect(cpuMsOf(make(Math.floor(bytes)))).toBeLessThan(MAX_CPU_MS);
  });
});

describe('the values of a body', () => {
  it('are counted without those in texts', () => {
    expect(hasMoreValues('[1,2,3]', 3)).toBe(false);
    expect(hasMoreValues('[1,2,3,{}]', 4)).toBe(true);
    expect(hasMoreValues(`{"a":"${',[{'.repeat(100)}"}`, 2)).toBe(false);
    expect(hasMoreValues(`{"a":"\\\\\\"${','.repeat(100)}","b":1}`, 3)).toBe(false);
    expect(hasMoreValues(`{"a":"\\\\",${'1,'.repeat(100)}}`, 50)).toBe(true);
  });

  it('are 200,000 at most, and the error says so', () => {
    expect(() => parseBody(`{"x":[${'1,'.repeat(199_990)}1]}`)).not.toThrow();
    expect(() => parseBody(`{"x":[${'1,'.repeat(200_001)}1]}`)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        detail: 'The body has more than 200000 values. Send less in one request.',
      }),
    );
  });
});
