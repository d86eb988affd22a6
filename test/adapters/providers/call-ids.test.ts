// Callers may send back what they were given: an id of another shape than theirs is replaced before it leaves.
import { expect, it } from 'vitest';
import { toModelResult } from '../../../adapters/providers/openai/response.ts';
import { readBody, sse } from './streams/protocols.ts';

const IDS: readonly (readonly [string, RegExp])[] = [
  ['call_1-A', /^call_1-A$/],
  ['functions.f:0', /^call_[0-9a-f]{32}$/],
  ['x'.repeat(65), /^call_[0-9a-f]{32}$/],
  ['', /^call_[0-9a-f]{32}$/],
];

it.each(IDS)('the id %j of a call leaves as one that callers may send', async (id, expected) => {
  const called = { index: 0, id, type: 'function', function: { name: 'f', arguments: '{"a":' } };
  const rest = { index: 0, id, function: { arguments: '1}' } };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ delta, finish_reason }],
  });
  const { events } = await readBody(
    { name: 'openai' },
    {
      pieces: [
        sse(chunk({ tool_calls: [called] })),
        sse(chunk({ tool_calls: [rest] })),
        sse(chunk({}, 'tool_calls')),
      ],
    },
  );
  expect(events[0]).toMatchObject({
    type: 'toolCall',
    call: { id: expect.stringMatching(expected), arguments: { a: 1 } },
  });
  const whole = { ...called, function: { name: 'f', arguments: '{}' } };
  const { toolCalls } = toModelResult({ choices: [{ message: { tool_calls: [whole] } }] }, 200);
  expect(toolCalls?.[0]?.id).toMatch(expected);
});
