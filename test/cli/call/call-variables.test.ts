// `neuron call --var`: values with the types that they look like, and texts where quotes say so.
import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { parseVariable } from '../../../cli/call/parse-variable.ts';
import { renderSurfaceCurl } from '../../../cli/call/surface-curl.ts';

it.each([
  ['tone=warm', 'warm'],
  ['tone=', ''],
  ['tone=a=b', 'a=b'],
  ['tone=3', 3],
  ['tone=-2.5', -2.5],
  ['tone="3"', '3'],
  ['tone=true', true],
  ['tone=True', 'True'],
  ['tone=007', '007'],
  ['tone=12345678901234567890', '12345678901234567890'],
  ['tone=1e3', '1e3'],
  ['tone=null', 'null'],
  ['tone={"a":1}', '{"a":1}'],
  ['tone= x ', ' x '],
])('reads %s', (text, value) => {
  expect(parseVariable(text, undefined)).toEqual({ tone: value });
  expect(parseVariable(text, { other: 1 })).toEqual({ other: 1, tone: value });
});

it.each(['tone', '=warm', '1a=b', '__proto__=b', 'a b=c'])('refuses %s', (text) => {
  expect(() => parseVariable(text, undefined)).toThrow(InvalidArgumentError);
});

it('refuses a name that was passed before', () => {
  expect(() => parseVariable('a=1', { a: 2 })).toThrow('passed twice');
  expect(parseVariable('constructor=1', {})).toEqual({ constructor: 1 });
});

it('writes them into the metadata of a line for curl', () => {
  const call = {
    input: 'Hi',
    stream: false,
    idempotencyKey: undefined,
    variables: { tone: 'warm', days: 3 },
  };
  const neuron = { organization: 'acme', neuron: 'support' };
  const line = renderSurfaceCurl('responses', 'https://example.com', neuron, call);
  expect(line).toContain('"metadata":{"variables":"{\\"tone\\":\\"warm\\",\\"days\\":3}"}');
});
