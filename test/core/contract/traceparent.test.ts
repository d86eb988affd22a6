// The trace of a caller: what W3C Trace Context calls valid, and nothing else.
import { describe, expect, it } from 'vitest';
import { attemptSpanId, parseTraceparent, toAttemptTraceparent } from '../../../core/contract/traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    ['as it is', `00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`],
    ['without sampling', `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-00`],
    ['with the one flag that version 00 has', `00-${TRACE}-${PARENT}-ff`, `00-${TRACE}-${PARENT}-01`],
    ['of a later version as version 00', `01-${TRACE}-${PARENT}-02`, `00-${TRACE}-${PARENT}-00`],
    [
      'of a later version with more after it',
      `cc-${TRACE}-${PARENT}-01-what-the-future`,
      `00-${TRACE}-${PARENT}-01`,
    ],
  ])('is taken %s', (_name, value, taken) => {
    expect(parseTraceparent([value])).toBe(taken);
  });

  it.each([
    ['none', []],
    ['two', [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`]],
    ['an empty one', ['']],
    ['capitals', [`00-${TRACE.toUpperCase()}-${PARENT}-01`]],
    ['no trace', [`00-${'0'.repeat(32)}-${PARENT}-01`]],
    ['no parent', [`00-${TRACE}-${'0'.repeat(16)}-01`]],
    ['the forbidden version', [`ff-${TRACE}-${PARENT}-01`]],
    ['version 00 with more after it', [`00-${TRACE}-${PARENT}-01-x`]],
    ['a later version with more than it may have', [`01-${TRACE}-${PARENT}-01.x`]],
    ['a short trace', [`00-${TRACE.slice(1)}-${PARENT}-01`]],
    ['a long parent', [`00-${TRACE}-${PARENT}0-01`]],
    ['no flags', [`00-${TRACE}-${PARENT}`]],
    ['blanks around it', [` 00-${TRACE}-${PARENT}-01`]],
    ['a line after it', [`00-${TRACE}-${PARENT}-01\n`]],
    ['no hexadecimal', [`00-${TRACE}-${PARENT.replace('b', 'g')}-01`]],
  ])('is ignored where there is %s', (_name, values) => {
    expect(parseTraceparent(values)).toBeUndefined();
  });

  it('is handed on with a span for each attempt, in the same trace and with the same flags', () => {
    const handed = [0, 1].map((number) => toAttemptTraceparent(`00-${TRACE}-${PARENT}-01`, 'exec-1', number));
    for (const [number, value] of handed.entries()) {
      expect(parseTraceparent([value])).toBe(value);
      expect(value).toBe(`00-${TRACE}-${attemptSpanId('exec-1', number)}-01`);
    }
    expect(new Set([...handed.map((value) => value.slice(36, 52)), PARENT]).size).toBe(3);
    expect(attemptSpanId('exec-2', 0)).not.toBe(attemptSpanId('exec-1', 0));
  });
});
