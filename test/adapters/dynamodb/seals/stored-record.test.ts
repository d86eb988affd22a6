// Items as plain JSON: the same from the stream and the table, and different for every difference of the stored item.
import { describe, expect, it } from 'vitest';
import { type AttributeValue, toStoredRecord } from '../../../../adapters/dynamodb/seals/stored-record.ts';

const one = (value: AttributeValue) => toStoredRecord({ a: value })['a'];

describe('an item as plain JSON', () => {
  it('keeps texts, truth values, null, lists and maps', () => {
    expect(
      toStoredRecord({
        text: { S: '' },
        yes: { BOOL: true },
        none: { NULL: true },
        list: { L: [{ S: 'a' }, { M: { b: { N: '1' } } }] },
      }),
    ).toEqual({ text: '', yes: true, none: null, list: ['a', { b: 1 }] });
  });

  it('has binary alike from the stream, in base64, and from the table, in bytes', () => {
    const bytes = new Uint8Array([1, 2, 250]);
    expect(one({ B: 'AQL6' })).toEqual({ $binary: 'AQL6' });
    expect(one({ B: bytes })).toEqual({ $binary: 'AQL6' });
    expect(one({ BS: ['AQL6'] })).toEqual(one({ BS: [bytes] }));
  });

  it.each([
    ['12', 12],
    ['12.0', 12],
    ['-0.25', -0.25],
    ['1E+2', 100],
    ['1700000000000', 1_700_000_000_000],
    ['0', 0],
    ['-0', 0],
  ])('reads the number %s', (text, number) => {
    expect(one({ N: text })).toBe(number === 0 ? Number(text) : number);
  });

  it('keeps every digit of a number that a double cannot hold', () => {
    expect(one({ N: '0.10000000000000000001' })).toEqual({ $number: '10000000000000000001e-20' });
    expect(one({ N: '12345678901234567890123' })).toEqual({ $number: '12345678901234567890123e0' });
  });

  it('tells a map from the types that JSON lacks, and a set from a list', () => {
    expect(one({ M: { $binary: { S: 'AQL6' } } })).toEqual({ $$binary: 'AQL6' });
    expect(one({ SS: ['b', 'a'] })).toEqual({ $set: ['a', 'b'] });
    expect(one({ NS: ['2', '1.0'] })).toEqual(one({ NS: ['1', '2'] }));
  });
});
