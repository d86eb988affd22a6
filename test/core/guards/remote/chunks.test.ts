// Texts cut for the calls of a service: nothing is lost, everything fits, and what is short enough is whole in some chunk.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkTexts } from '../../../../core/guards/remote/chunks.ts';

const limits = { textCharacters: 10, callCharacters: 18, texts: 3, overlap: 4 };

describe('texts for a service', () => {
  it('go into as few calls as their order and the limits allow', () => {
    expect(chunkTexts(['aaaa', 'bbbb', 'cccc', 'dddd'], limits)).toEqual([
      [
        { text: 0, from: 0, value: 'aaaa' },
        { text: 1, from: 0, value: 'bbbb' },
        { text: 2, from: 0, value: 'cccc' },
      ],
      [{ text: 3, from: 0, value: 'dddd' }],
    ]);
  });

  it('are cut with an overlap', () => {
    expect(chunkTexts(['0123456789abcdefgh'], limits).flat()).toEqual([
      { text: 0, from: 0, value: '0123456789' },
      { text: 0, from: 6, value: '6789abcdef' },
      { text: 0, from: 12, value: 'cdefgh' },
    ]);
  });

  it('are left out where they are blank', () => {
    expect(chunkTexts(['', ' \n', 'a'], limits)).toEqual([[{ text: 2, from: 0, value: 'a' }]]);
  });

  it('keep their characters whole, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 })), (texts) => {
        const calls = chunkTexts(texts, limits);
        for (const call of calls) {
          expect(call.length).toBeLessThanOrEqual(limits.texts);
          expect(call.map(({ value }) => value).join('').length).toBeLessThanOrEqual(limits.callCharacters);
        }
        for (const [index, text] of texts.entries()) {
          const chunks = calls.flat().filter((chunk) => chunk.text === index);
          if (text.trim() === '') expect(chunks).toEqual([]);
          else expect(chunks.every(({ from, value }) => text.startsWith(value, from))).toBe(true);
          for (const { value } of chunks) expect(value.isWellFormed()).toBe(text.isWellFormed());
          for (let at = 0; text.trim() !== '' && at + 3 <= text.length; at += 1)
            expect(chunks.some(({ from, value }) => from <= at && at + 3 <= from + value.length)).toBe(true);
        }
      }),
    );
  });
});
