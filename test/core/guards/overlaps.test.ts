// Finds that overlap are cut out of a text as one, by the name of the longest; nothing of either is left.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { activeGuards, NO_TOOLS } from '../../../core/guards/active-guards.ts';
import { type Cut, mergeCuts } from '../../../core/guards/find.ts';
import { createFindCounts } from '../../../core/guards/find-counts.ts';
import { inspectTexts } from '../../../core/guards/inspect-texts.ts';
import { createPlaceholders } from '../../../core/guards/placeholders.ts';

const library = {
  pii: { type: 'pii' as const, entities: ['iban' as const, 'card' as const, 'email' as const] },
  head: { type: 'patterns' as const, deny: ['see DE89'], caseSensitive: true },
  inner: { type: 'patterns' as const, deny: ['0440'], caseSensitive: true },
  whole: { type: 'patterns' as const, deny: ['DE89.{40}'], caseSensitive: true },
};

function leftOf(text: string, uses: readonly (keyof typeof library)[]): string {
  const on = ['input' as const];
  const guards = uses.map((use) => ({ use, on, action: 'redact' as const }));
  const state = {
    guards: activeGuards({ organization: { guards: library }, neuron: { guards } }, NO_TOOLS),
    ...{ placeholders: createPlaceholders('key'), counts: createFindCounts() },
    validateJson: async () => undefined,
    block: () => undefined,
  };
  return inspectTexts(state, { stage: 'input' }, [text]).join('');
}

const IBAN = 'DE89 3704 0044 0532 0130 00';

it.each([
  ['at its beginning', ['pii', 'head'], `I see ${IBAN} here`, 'I [IBAN] here'],
  ['within it', ['pii', 'inner'], `I see ${IBAN.replaceAll(' ', '')} here`, 'I see [IBAN] here'],
  ['around it', ['pii', 'whole'], `I see ${IBAN} ${'here'.repeat(5)}`, 'I see [WHOLE]here'],
  ['beside it', ['pii'], `${IBAN} ann@example.com`, '[IBAN] [EMAIL]'],
] as const)('one that lies %s', (_where, uses, text, left) => {
  expect([leftOf(text, uses), leftOf(text, uses.toReversed())]).toEqual([left, left]);
});

const find = fc.record({
  start: fc.nat(30),
  length: fc.integer({ min: 1, max: 12 }),
  label: fc.constantFrom('A', 'B', 'C'),
});

it('any cuts become some that do not touch each other inside, and cover the same characters', () => {
  fc.assert(
    fc.property(fc.array(find, { maxLength: 8 }), (finds) => {
      const cuts = finds.map(
        ({ start, length, label }): Cut => ({
          ...{ start, end: start + length, length, label, action: 'redact' },
          restores: new Set(),
        }),
      );
      const covered = (list: readonly Cut[]) =>
        new Set(list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)));
      const merged = mergeCuts(cuts);
      expect(covered(merged)).toEqual(covered(cuts));
      for (const [index, { start }] of merged.entries())
        expect(start).toBeGreaterThanOrEqual(merged[index - 1]?.end ?? 0);
      for (const one of merged) {
        const within = cuts.filter(({ start, end }) => start >= one.start && end <= one.end);
        const longest = Math.max(...within.map(({ length }) => length));
        expect(within).toContainEqual(expect.objectContaining({ label: one.label, length: longest }));
      }
    }),
  );
});
