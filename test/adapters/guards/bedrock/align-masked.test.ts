// The places of what a service has hidden, told by the text that it gave back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignMasked } from '../../../../adapters/guards/bedrock/align-masked.ts';

const hide = (label: string, ...matches: string[]) =>
  matches.map((match) => ({ entity: label, label, match }));

function cutsOf(text: string, masked: string, hidden: ReturnType<typeof hide>) {
  return alignMasked(text, masked, hidden)?.map(({ start, end }) => text.slice(start, end));
}

describe('the places of hidden values', () => {
  it('are those whose names stand in their place', () => {
    expect(cutsOf('I am Ann.', 'I am {NAME}.', hide('NAME', 'Ann'))).toEqual(['Ann']);
    expect(cutsOf('AnnAnn', '{NAME}{NAME}', hide('NAME', 'Ann'))).toEqual(['Ann', 'Ann']);
    expect(cutsOf('Ann Ann', 'Ann {NAME}', hide('NAME', 'Ann'))).toEqual(['Ann']);
    expect(cutsOf('Ann', 'Ann', [])).toEqual([]);
    expect(cutsOf('', '', [])).toEqual([]);
  });

  it('take a shorter value where the longer one does not fit', () => {
    const hidden = hide('NAME', 'Ann', 'Ann Lee');
    expect(cutsOf('Ann Lee', '{NAME}', hidden)).toEqual(['Ann Lee']);
    expect(cutsOf('Ann Lee', '{NAME} Lee', hidden)).toEqual(['Ann']);
    expect(cutsOf('Ann Leeway', '{NAME} Leeway', hidden)).toEqual(['Ann']);
  });

  it('are none of the text’s own braces', () => {
    expect(cutsOf('{NAME} is Ann', '{NAME} is {NAME}', hide('NAME', 'Ann'))).toEqual(['Ann']);
    expect(cutsOf('{"a":{}}', '{"a":{}}', hide('NAME', 'Ann'))).toEqual([]);
  });

  it.each([
    ['Ann', '{NAME}', []],
    ['Ann', '{NAME}', hide('EMAIL', 'Ann')],
    ['Ann', '{NAME}.', hide('NAME', 'Ann')],
    ['Ann.', '{NAME}', hide('NAME', 'Ann')],
    ['Ann', '', hide('NAME', 'Ann')],
    ['Ann', 'Bob', hide('NAME', 'Ann')],
    ['Ann', '{NAME}', hide('NAME', '')],
  ])('are unknown for %j given back as %j', (text, masked, hidden) => {
    expect(cutsOf(text, masked, hidden)).toBeUndefined();
  });

  it('take no time that grows with their choices', () => {
    const text = 'a'.repeat(4_000);
    const hidden = hide('X', 'a', 'aa', 'aaa', 'aaaa');
    const startedMs = performance.now();
    expect(alignMasked(text, `${'{X}'.repeat(1_999)}b`, hidden)).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('give the masked text again, of any text with any of its parts hidden', () => {
    const part = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 8 }), isHidden: fc.boolean() });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const hidden = hide('NAME', ...parts.flatMap(({ text, isHidden }) => (isHidden ? [text] : [])));
        const text = parts.map((one) => one.text).join('');
        const masked = parts.map((one) => (one.isHidden && one.text !== '' ? '{NAME}' : one.text)).join('');
        const places = alignMasked(text, masked, hidden);
        const again = places?.reduceRight(
          (cut, { start, end }) => `${cut.slice(0, start)}{NAME}${cut.slice(end)}`,
          text,
        );
        expect(again).toBe(masked);
      }),
      { numRuns: 500 },
    );
  });
});
