// What AWS charges for each entry: the sums of docs/costs.md, each deviation from the usual call by hand, and whole numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCountable } from '../../../core/ports/countable-entry.ts';
import {
  type AnsweredRequest,
  chargesOf,
  chargesOfDenial,
  type EntryCharges,
} from '../../../core/pricing/entry-charges.ts';
import { usageOf } from '../../../core/usage/entry-usage.ts';
import { mergeRows } from '../../../core/usage/merge-rows.ts';
import { ROOT } from '../../source-tree.ts';
import { anyFacts, entryOf, FACTS } from '../logs/entries.ts';

/** The calls of docs/costs.md. */
const HIT: AnsweredRequest = {
  ...{ milliseconds: 30, memoryMegabytes: 1_024, limitWrites: 0, limitReads: 1, models: 0, attempts: 0 },
  ...{ hasKey: true, hasUsername: false, isError: false, cache: 'read', hasVersion: true },
};
const MODEL: AnsweredRequest = {
  ...{ ...HIT, milliseconds: 2_000, cache: 'written', models: 1, attempts: 1 },
  ...{ limitWrites: 2, limitReads: 0 },
};

const nanodollars = ({ perRequest, perEntry }: EntryCharges) => perRequest + perEntry;
/** Nanodollars that a change adds to a call. */
const added = (call: AnsweredRequest, change: Partial<AnsweredRequest>) =>
  nanodollars(chargesOf({ ...call, ...change })) - nanodollars(chargesOf(call));

describe('the charges of entries', () => {
  it('add up to the formula of the page of costs, in usage too', () => {
    const page = readFileSync(join(ROOT, 'docs/costs.md'), 'utf8');
    const [, hit, model] =
      /\| \*\*together\*\* \| \| \*\*([\d.]+)\*\* \| \*\*([\d.]+)\*\* \|/.exec(page) ?? [];
    const rowsOf = (call: AnsweredRequest) =>
      Array.from({ length: 1_000 }, (_, at) =>
        usageOf(entryOf({ executionId: `exec-${at}`, charges: chargesOf(call) })),
      ).flat();
    const totalOf = (call: AnsweredRequest) =>
      mergeRows(rowsOf(call)).find(({ subject }) => subject.kind === 'neuron')?.amounts
        .infrastructureNanodollars ?? Number.NaN;
    // A thousand calls in nanodollars, as dollars for a million.
    expect((totalOf(HIT) / 1e6).toFixed(2)).toBe(hit);
    expect((totalOf(MODEL) / 1e6).toFixed(2)).toBe(model);
  });

  it.each([
    // Prices of core/pricing/infrastructure-prices.ts by hand: a read 125, a write 625, a byte of the log 0.5, a GiB-second 13,333.4.
    ['without an API key a read less, and a row of a batch of ten less', HIT, { hasKey: false }, -125 - 125],
    ['with a username one index and one row more', HIT, { hasUsername: true }, 625 + 125],
    ['that ran no version a row less', HIT, { hasVersion: false }, -125],
    ['that failed one index more', HIT, { isError: true }, 625],
    ['with five writes to counters three more', MODEL, { limitWrites: 5 }, 3 * 625],
    ['with three reads of counters two more', HIT, { limitReads: 3 }, 2 * 125],
    ['without a cache half a read less', HIT, { cache: 'off' }, -62.5],
    ['of a model whose answer is not stored two writes less', MODEL, { cache: 'read' }, -2 * 625],
    ['with a second attempt a line more', MODEL, { attempts: 2 }, 806 * 0.5],
    ['with a second model a row more', MODEL, { models: 2 }, 125],
    ['of a second more a GiB-second', MODEL, { milliseconds: 3_000 }, 13_333.4],
  ] as const)('has for a call %s', (_, call, change, difference) => {
    expect(added(call, change)).toBeCloseTo(difference, 6);
  });

  it('halve the duration of both functions with half the memory', () => {
    expect(added(MODEL, { memoryMegabytes: 512 })).toBeCloseTo(-(2.01 * 13_333.4) / 2, 6);
  });

  it('leave out the API and the function for a 401, not for another denial', () => {
    const denied = { milliseconds: 10, memoryMegabytes: 1_024, hasKey: false };
    const unauthorized = chargesOfDenial({ ...denied, isUnauthorized: true });
    const forbidden = chargesOfDenial({ ...denied, isUnauthorized: false });
    // The authorizer, 440 and 199 bytes, and 1 % of a trace.
    expect(unauthorized.perRequest).toBeCloseTo(200 + 133.334 + 639 * 0.5 + 0.01 * 5_000, 0);
    // The API, and 3 ms of the function; no line of the runtime.
    expect(forbidden.perRequest - unauthorized.perRequest).toBeCloseTo(3_500 + 200 + 40 - 199 * 0.5, 1);
    expect(forbidden.perEntry).toBe(unauthorized.perEntry);
    // Four writes of the entry, marks and two rows, the seal, the line.
    expect(unauthorized.perEntry).toBeCloseTo(
      4 * 625 + (2 * 5.25 * 625 + 200 + 666.67) / 10 + 500 + 570.5,
      1,
    );
  });

  it('are charged once for an entry and again for each request that it stands for', () => {
    const charges = { perRequest: 4_000.25, perEntry: 2_000 };
    expect(entryOf({ charges, count: 40 }).infrastructureNanodollars).toBe(162_010);
    expect(entryOf({ charges }).infrastructureNanodollars).toBe(6_000);
  });

  it('are absent, and add nothing, where nobody worked them out', () => {
    const entry = entryOf();
    expect(Object.hasOwn(entry, 'infrastructureNanodollars')).toBe(false);
    expect(usageOf(entry)[0]?.amounts.infrastructureNanodollars).toBe(0);
  });

  it('are a safe integer, never negative, within half a nanodollar of the formula, and can be counted', () => {
    const request: fc.Arbitrary<AnsweredRequest> = fc.record({
      milliseconds: fc.double({ min: 0, max: 900_000, noNaN: true }),
      memoryMegabytes: fc.integer({ min: 128, max: 10_240 }),
      hasKey: fc.boolean(),
      hasUsername: fc.boolean(),
      isError: fc.boolean(),
      limitWrites: fc.nat(1_000),
      limitReads: fc.nat(1_000),
      cache: fc.constantFrom('off', 'read', 'written'),
      models: fc.nat(100),
      attempts: fc.nat(1_000),
      hasVersion: fc.boolean(),
    });
    fc.assert(
      fc.property(anyFacts, request, (facts, one) => {
        const charges = chargesOf(one);
        const { count = 1 } = facts;
        const rounded = entryOf({ ...facts, charges }).infrastructureNanodollars ?? Number.NaN;
        expect(Number.isSafeInteger(rounded)).toBe(true);
        expect(rounded).toBeGreaterThan(0);
        const exact = charges.perRequest * count + charges.perEntry;
        expect(Math.abs(rounded - exact)).toBeLessThanOrEqual(0.5);
        if (count === 1) expect(isCountable(entryOf({ charges }))).toBe(true);
      }),
    );
  });

  it.each([-1, 0.5, Number.NaN, '7', null, 2e12])('make an entry uncounted where they are %s', (value) => {
    const entry = { ...entryOf(), infrastructureNanodollars: value as number };
    expect(isCountable(entry)).toBe(false);
    expect(isCountable({ ...entry, infrastructureNanodollars: 7 })).toBe(true);
    expect(FACTS.charges).toBeUndefined();
  });
});
