// The view of a text: what a reader sees of it, and where each character comes from.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSource, viewOf } from '../../../core/guards/view.ts';

const see = (text: string) => viewOf(text)?.text ?? text;

describe('the view of a text', () => {
  it.each([
    ['ASCII as it is', 'a-b c', 'a-b c'],
    ['full-width letters', 'ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
    ['mathematical letters', '𝐢𝐠𝐧𝐨𝐫𝐞', 'ignore'],
    ['zero-width characters', 'ig\u200bno\u2060re', 'ignore'],
    ['a soft hyphen', 'ig\u00adnore', 'ignore'],
    ['characters that turn the direction', '\u202eignore\u202c', 'ignore'],
    ['tags', 'Hi\u{e0069}\u{e0067}', 'Hi'],
    ['variation selectors', 'a\ufe0fb\u{e0101}', 'ab'],
    ['dashes and blanks of other kinds', '123–45—6789 a\u00a0b', '123-45-6789 a b'],
    ['look-alikes in a word of two alphabets', 'pаypаl', 'paypal'],
    ['no look-alikes in a word of one', 'как, ОРЕХ', 'как, ОРЕХ'],
    ['a ligature', 'ﬁle', 'file'],
  ])('has %s', (_what, text, view) => {
    expect(see(text)).toBe(view);
  });

  it('says where each character comes from, whatever stands around it', () => {
    const around = fc.string({ unit: 'binary', maxLength: 20 });
    const property = fc.property(around, around, (before, after) => {
      const text = `${before} ＡＢ\u200bＣ ${after}`;
      const view = viewOf(text);
      if (view === undefined) throw new Error('there is no view');
      const at = view.text.indexOf('ABC', viewOf(before)?.text.length ?? before.length);
      const [start, end] = toSource(view, at, at + 3);
      expect(text.slice(start, end)).toBe('ＡＢ\u200bＣ');
      expect(view.indexOf(start)).toBe(at);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
