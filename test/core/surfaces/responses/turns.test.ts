// Items of a response as turns: where a turn of the assistant ends, and how much the calls of all turns may hold.
import { expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { parseResponsesInvocation } from '../../../../core/surfaces/responses/parse.ts';

const NEURON = { organization: 'acme', neuron: 'coder', maxInputBytes: 100_000 };

const parse = (input: readonly object[]) =>
  parseResponsesInvocation(
    { body: JSON.stringify({ model: 'coder', input }), bypassCache: [], rawOutput: [], accept: [] },
    NEURON,
  );

function errorOf(input: readonly object[]) {
  try {
    parse(input);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return [thrown.code, thrown.param, thrown.detail];
    throw thrown;
  }
  return undefined;
}

it('ends a turn of the assistant where another role speaks', () => {
  const said = (content: string) => ({ role: 'assistant', content });
  const { conversation } = parse([
    said('a'),
    said('b'),
    { role: 'user', content: 'c' },
    said('d'),
    said('e'),
  ]);
  const texts = (list: readonly string[]) => list.map((text) => ({ type: 'text', text }));
  expect(conversation.messages).toEqual([
    { role: 'assistant', blocks: texts(['a', 'b']) },
    { role: 'user', content: texts(['c']) },
    { role: 'assistant', blocks: texts(['d', 'e']) },
  ]);
});

it('has at most 100,000 values and names in the arguments of all its calls', () => {
  const call = (values: number) => ({
    type: 'function_call',
    call_id: 'c',
    name: 'f',
    arguments: `{"a":[${'1,'.repeat(values)}1]}`,
  });
  expect(errorOf([call(60_000), call(40_000)])).toEqual([
    'invalid_input',
    'input[1].arguments',
    '"input[1].arguments" must not have more than 100000 values and names with those of the calls before it.',
  ]);
  expect(errorOf([call(60_000), call(39_990)])?.[1]).toBe('input[1].call_id');
});

it('has at most 128 calls in a row, as an answer has', () => {
  const call = (index: number) => ({
    type: 'function_call',
    call_id: `c${index}`,
    name: 'f',
    arguments: '{}',
  });
  const output = (index: number) => ({ type: 'function_call_output', call_id: `c${index}`, output: 'x' });
  const input = (calls: number) => {
    const indexes = Array.from({ length: calls }, (_, index) => index);
    return [{ role: 'user', content: 'Go' }, ...indexes.map(call), ...indexes.map(output)];
  };
  expect(parse(input(128)).conversation.messages).toHaveLength(130);
  expect(() => parse(input(129))).toThrowError(
    expect.objectContaining({
      detail: expect.stringContaining('input[129]" must not be call 129 in a row'),
    }),
  );
});
