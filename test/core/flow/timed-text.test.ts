// A text under the clock: the engine reads it like any other, and its reading ends when the time does.

import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { TimedText } from '../../../core/flow/timed-text.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { flowPorts } from './flow-ports.ts';

const unbounded = (text: string) => new TimedText(text, () => undefined);

/** Throws at the given question for the time. */
function bounded(text: string, questions: number) {
  let asked = 0;
  const timed = new TimedText(text, () => {
    asked += 1;
    if (asked === questions) throw new Error('the time is over');
  });
  return { timed, asked: () => asked };
}

describe('a text under the clock', () => {
  // Every way of the engine: literals, prefixes, automata, word boundaries, anchors, characters beyond the first plane.
  const pieces = [
    'a',
    'b',
    'ab',
    '[ab]',
    '\\b',
    '^',
    '$',
    '.*',
    'a?',
    '(?:ab|ba)',
    '(?i:A)',
    '\\pL',
    '😀',
    'é',
    '[^a]',
  ];

  it('matches the patterns that the plain text matches', () => {
    const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 });
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'É', 'é', '😀'), { maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (parts, letters) => {
        const compiled = RE2JS.compile(parts.join(''));
        const plain = letters.join('');
        const timed = unbounded(plain) as unknown as string;
        expect(compiled.test(timed)).toBe(compiled.test(plain));
      }),
    );
  });

  it('finds a literal at any position, also across the slices in which it is searched', () => {
    for (const at of [0, 1, 65_535, 65_536, 131_070]) {
      const text = `${'x'.repeat(at)}needle${'x'.repeat(9)}`;
      expect(unbounded(text).indexOf('needle')).toBe(at);
      expect(unbounded(text).indexOf('needle', at + 1)).toBe(-1);
    }
    expect(unbounded('').indexOf('')).toBe(0);
    expect(unbounded('short').indexOf('longer than it')).toBe(-1);
  });

  it('ends one that would take seconds when the time is over', () => {
    // Each letter of such a text doubles what the automaton would have to remember, so every thread is followed at each of them.
    const text = Array.from({ length: 20_000 }, (_, index) => (Math.sin(index * index) > 0 ? 'a' : 'b')).join(
      '',
    );
    const { timed, asked } = bounded(text, 3);
    expect(() => RE2JS.compile('a[ab]{300}[cd]').test(timed as unknown as string)).toThrow(
      'the time is over',
    );
    expect(asked()).toBe(3);
  });

  it('ends the search for a literal when the time is over', () => {
    const { timed } = bounded('a'.repeat(200_000), 2);
    expect(() => timed.indexOf('b')).toThrow('the time is over');
  });
});

describe('a condition whose pattern takes longer than the deadline', () => {
  it('refuses with deadline_exceeded in the middle of the pattern', async () => {
    const flow = flowSchema.parse([{ ifInputContains: { any: ['a[ab]{300}[cd]'], match: 'regex' } }]);
    let left = 50;
    const deadline = {
      signal: new AbortController().signal,
      remainingMs: () => {
        left -= 1;
        return Math.max(0, left);
      },
      end: () => undefined,
    };
    const context = {
      conversation: conversationOf('ab'.repeat(50_000)),
      username: undefined,
      executionId: 'e',
      deadline,
    };
    expect(await runFlow(flow, context, flowPorts())).toMatchObject({
      kind: 'failed',
      rejection: { code: 'deadline_exceeded' },
    });
  });
});
