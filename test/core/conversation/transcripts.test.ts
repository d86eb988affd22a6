// A transcript that no provider takes is refused here: its own error would come after time and money.
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { rejected } from './refused.ts';

const user = { role: 'user', content: 'Hello' };
const answer = { role: 'assistant', content: 'Hi.' };
const calling = (...ids: string[]) => ({
  role: 'assistant',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'found' });

describe('a transcript', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'has nothing in it',
      '"messages" must have a message of role user, or a system text.',
      [
        { role: 'system', content: '' },
        { role: 'assistant', content: '' },
      ],
    ],
    [
      'ends with a call',
      '"messages[1].tool_calls[0].id" must have its result right after it.',
      [user, calling('a')],
    ],
    [
      'has a result without a call',
      '"messages[1].tool_call_id" must name a call of the assistant turn before it.',
      [user, result('a')],
    ],
    [
      'has a result of another call',
      '"messages[2].tool_call_id" must name a call of the assistant turn before it.',
      [user, calling('a'), result('b')],
    ],
    [
      'has a result twice',
      '"messages[3].tool_call_id" must name a call of the assistant turn before it.',
      [user, calling('a'), result('a'), result('a')],
    ],
    [
      'has a call without a result',
      '"messages[1].tool_calls[1].id" must have its result right after it.',
      [user, calling('a', 'b'), result('a')],
    ],
    [
      'has a result too late',
      '"messages[1].tool_calls[0].id" must have its result right after it.',
      [user, calling('a'), user, result('a')],
    ],
    [
      'has another call before the result',
      '"messages[1].tool_calls[0].id" must have its result right after it.',
      [user, calling('a'), calling('b'), result('a'), result('b')],
    ],
    [
      'has an id twice in one turn',
      '"messages[1].tool_calls[1].id" must not be used twice in one turn.',
      [user, calling('a', 'a'), result('a'), result('a')],
    ],
  ])('is refused that %s', (_what, text, messages) => {
    expect(rejected({ messages })).toBe(`invalid_input: ${text}`);
  });

  it.each<[string, readonly object[]]>([
    ['a system text alone', [{ role: 'system', content: 'Write a title.' }]],
    ['the assistant first', [answer, user]],
    ['the assistant first, after a system text', [{ role: 'system', content: 'x' }, answer, user]],
    ['the assistant last', [user, answer]],
    ['an id of an earlier turn', [user, calling('a'), result('a'), user, calling('a'), result('a')]],
    [
      'turns without anything',
      [
        { role: 'system', content: '' },
        { role: 'user', content: '' },
        { role: 'assistant', content: null },
        { role: 'user', content: [{ type: 'text', text: '' }] },
        { role: 'assistant', content: [], tool_calls: [] },
        user,
        { role: 'assistant', content: '' },
      ],
    ],
    ['an empty list beside calls', [user, { ...calling('a'), content: [] }, result('a')]],
    ['two users in a row', [user, user]],
    ['two answers in a row', [user, answer, answer, user]],
    ['results in another order than the calls', [user, calling('a', 'b'), result('b'), result('a')]],
    ['a system text in its midst', [user, answer, { role: 'system', content: 'Be brief.' }, user]],
    [
      'a system text between a call and its result',
      [user, calling('a'), { role: 'system', content: 'x' }, result('a')],
    ],
    ['an empty result', [user, calling('a'), { role: 'tool', tool_call_id: 'a', content: '' }]],
    ['calls in rounds', [user, calling('a'), result('a'), calling('b'), result('b'), user]],
    [
      'a refusal that came back',
      [user, { role: 'assistant', content: null, refusal: 'No.', annotations: [] }, user],
    ],
  ])('may have %s', (_what, messages) => {
    const body = JSON.stringify({ messages });
    expect(() =>
      parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 262_144),
    ).not.toThrow();
  });
});
