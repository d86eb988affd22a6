// Conditions on texts: what matches, what the trace keeps of it, which branch is taken, and what is too much.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the branch's name in settings files; nothing here is awaited.

import { describe, expect, it, test } from 'vitest';
import { validateFlow } from '../../../core/admin/validate/flow.ts';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { type Flow, flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { flowPorts } from './flow-ports.ts';

async function run(flow: unknown, input: string, said = 'answer') {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, 60_000);
  const provider = createMemoryProvider(() => ({ text: said }));
  const result = await runFlow(
    flowSchema.parse(flow),
    { conversation: conversationOf(input), username: undefined, executionId: 'e', deadline },
    flowPorts({ clock, findProvider: () => ({ provider, timeoutMs: undefined }) }),
  );
  deadline.end();
  return result;
}

const yes = [{ serveOutput: { text: 'yes' } }];
const no = [{ serveOutput: { text: 'no' } }];

/** Whether one pattern matches an input. */
async function matches(pattern: string, input: string, more: object = {}): Promise<boolean> {
  const result = await run([{ ifInputContains: { any: [pattern], ...more, then: yes, else: no } }], input);
  if (result.kind === 'failed') throw result.rejection;
  return result.output === 'yes';
}

describe('a substring', () => {
  test.each([
    ['ell', 'Hello', true],
    ['ELL', 'hello', true],
    ['a.c', 'abc', false],
    ['a.c', 'xa.cx', true],
    ['\\E(', 'x\\E(y', true],
    ['é', 'CAFÉ', true],
    ['x', '', false],
    ['__proto__', 'the __proto__ of it', true],
  ])('%s in %s: %s', async (pattern, input, expected) => {
    expect(await matches(pattern, input)).toBe(expected);
  });

  it('is case-sensitive where the settings say so', async () => {
    expect(await matches('ELL', 'hello', { caseSensitive: true })).toBe(false);
    expect(await matches('ell', 'hello', { caseSensitive: true })).toBe(true);
  });
});

describe('a word', () => {
  test.each([
    ['cat', 'a cat sat', true],
    ['cat', 'Cat', true],
    ['cat', 'concatenate', false],
    ['cat', 'cat_food', false],
    ['cat', 'cat-food', true],
    ['cat', 'cat9', false],
    ['été', 'un été chaud', true],
    ['ete', 'étété ete', true],
    ['t', 'été', false],
    ['猫', '猫が', false],
    ['猫', '黒い。猫。', true],
    ['c++', 'I like c++ best', true],
  ])('%s in %s: %s', async (pattern, input, expected) => {
    expect(await matches(pattern, input, { match: 'word' })).toBe(expected);
  });
});

describe('a regular expression', () => {
  test.each([
    ['^h.*o$', 'hello', true],
    ['^ello', 'hello', false],
    ['[0-9]{3}-[0-9]{4}', 'call 555-1234', true],
    ['\\bfoo\\b', 'a FOO b', true],
    ['\\p{Cyrillic}', 'привет', true],
  ])('%s in %s: %s', async (pattern, input, expected) => {
    expect(await matches(pattern, input, { match: 'regex' })).toBe(expected);
  });

  it('is done with a text that a backtracking engine never ends on', async () => {
    // 2^60000 ways to split the text: only an engine that never goes back comes to an end.
    expect(await matches('^(a|a)*$', `${'a'.repeat(60_000)}b`, { match: 'regex' })).toBe(false);
    expect(await matches('(x+x+)+y', 'x'.repeat(60_000), { match: 'regex' })).toBe(false);
  });

  test.each([
    ['(?=a)', 'look-ahead'],
    ['(?<!a)b', 'look-behind'],
    ['(a)\\1', 'a backreference'],
    ['(a', 'an open group'],
    ['(a{100}){100}', 'a repetition beyond 1000'],
    ['[a-z]{999}[a-z]{999}', 'too large a pattern'],
  ])('refuses %s, %s, when applied, with its place', (pattern) => {
    const flow = [
      {
        randomizedSplit: {
          percentageA: 50,
          b: [{ ifOutputContains: { any: ['ok', pattern], match: 'regex' } }],
        },
      },
    ];
    expect(validateFlow(flowSchema.parse(flow))).toEqual([
      {
        severity: 'error',
        path: [0, 'randomizedSplit', 'b', 0, 'ifOutputContains', 'any', 1],
        message: expect.stringMatching(/^is (?:not a pattern that RE2 takes|too large)/),
      },
    ]);
  });

  it('that got into the store unchecked ends the run as configuration', async () => {
    const result = await run([{ ifInputContains: { any: ['(?=a)'], match: 'regex' } }], 'a');
    expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'configuration' } });
  });
});

describe('a condition', () => {
  it('keeps in the trace which patterns matched, as they were written', async () => {
    const flow = [{ ifInputContains: { any: ['Refund', 'bill', 'pay'], then: yes, else: no } }];
    expect((await run(flow, 'a refund for a payment')).trace).toEqual([
      { type: 'ifInputContains', atMs: 0, decision: 'then', matched: ['Refund', 'pay'] },
      { type: 'serveOutput', atMs: 0, output: 'yes' },
    ]);
    expect((await run(flow, 'hello')).trace[0]).toEqual({
      type: 'ifInputContains',
      atMs: 0,
      decision: 'else',
    });
  });

  it('keeps of many and long patterns that match no more than an entry can hold', async () => {
    const any = Array.from({ length: 12 }, (_, index) => 'a'.repeat(200 + index));
    const { trace } = await run([{ ifInputContains: { any } }], 'a'.repeat(300));
    expect(trace[0]?.matched).toEqual([...Array.from({ length: 10 }, () => 'a'.repeat(100)), 'and 2 more']);
  });

  it('continues with the list when it has no branch for the outcome', async () => {
    const flow = [{ ifInputContains: { any: ['x'], then: yes } }, { serveOutput: { text: 'went on' } }];
    expect(await run(flow, 'abc')).toMatchObject({ output: 'went on' });
  });

  it('continues with the list after a branch that did not end the run', async () => {
    const flow = [
      { ifInputContains: { any: ['a'], then: [{ callModel: { provider: 'p', model: 'm' } }] } },
      { serveOutput: { text: 'after {{output}}' } },
    ];
    expect(await run(flow, 'abc')).toMatchObject({ output: 'after answer' });
  });

  it('on the output looks at the latest one, and finds nothing before the first', async () => {
    const condition = { ifOutputContains: { any: ['urgent'], then: yes, else: no } };
    const call = { callModel: { provider: 'p', model: 'm' } };
    expect(await run([condition], 'urgent')).toMatchObject({ output: 'no' });
    expect(await run([call, condition], 'hello', 'This is URGENT.')).toMatchObject({ output: 'yes' });
  });

  it('may be nested in branches of others, ten deep', async () => {
    const nest = (depth: number): Flow =>
      depth === 0
        ? yes
        : [
            {
              ifInputContains: {
                any: ['a'],
                match: 'substring',
                in: 'everything',
                caseSensitive: false,
                then: nest(depth - 1),
              },
            },
          ];
    expect(await run(nest(10), 'a')).toMatchObject({ output: 'yes' });
    expect(validateFlow(nest(10))).toEqual([]);
    expect(validateFlow(nest(11))).toMatchObject([{ message: 'must not be nested more than 10 deep' }]);
  });

  it('refuses a text of more than a million characters: a part of it would let the rest pass', async () => {
    const flow = [{ ifInputContains: { any: ['x'] } }];
    expect(await run(flow, 'a'.repeat(1_000_001))).toMatchObject({
      kind: 'failed',
      rejection: { code: 'input_too_large' },
    });
    expect(await run(flow, 'a'.repeat(1_000_000))).toMatchObject({ kind: 'done' });
  });
});

describe('a flow longer than any that is applied', () => {
  it('refuses to run on after its thousandth step', async () => {
    const list = Array.from({ length: 100 }, () => ({ systemInstructions: 'x' }));
    const result = await run(
      Array.from({ length: 11 }, () => ({ ifInputContains: { any: ['a'], then: list } })),
      'a',
    );
    expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'configuration' } });
    expect(result.trace).toHaveLength(1_000);
  });
});
