// Texts of public sets at every place, by every surface, whole and in streams: one verdict, and no value anywhere. `npm run prove:guards`
// tries the whole sets. The texts are in base64, so that nothing takes those with secrets for a leak.
import { expect, it } from 'vitest';
import { isEveryCase, someOf } from '../../../../support/every-case.ts';
import { DOORS } from './places.ts';
import sample from './sample.json' with { type: 'json' };
import { sizesOf, tryCase } from './try-case.ts';
import { isChatOf, isSameInPieces, SIZES, tryText, verdictOf } from './try-text.ts';

const CASES = sample.flatMap(({ url, texts }) =>
  texts.map((text, index) => [url, index, Buffer.from(text, 'base64').toString()] as const),
);

/** With a number of each, by which the sizes of pieces are chosen. */
const TRIED = someOf(CASES, 3).map(([url, index, text], number) => [url, index, text, number] as const);

it.each(TRIED)('of %s, %i', async (_url, _index, text, number) => {
  const { wrong, requests, streams } = await tryCase(text, number, isEveryCase);
  expect(wrong).toEqual([]);
  expect([requests >= 19, streams >= 7]).toEqual([true, true]);
});

const SURFACES = ['native', 'openai', 'responses', 'anthropic'];

it.each(SURFACES)('streams each text in pieces of every size by %s where all are tried', (surface) => {
  for (const index of [0, 1, 2, 3]) {
    const doors = [...DOORS.entries()].filter(([, door]) => isChatOf(door) && door.surface === surface);
    const tried = doors.flatMap(([at]) => sizesOf(index, at, true));
    expect(tried.toSorted((a, b) => a - b)).toEqual(SIZES);
    // By turns with calls of tools, which even sizes have.
    for (const [at] of doors) expect(new Set(sizesOf(index, at, true).map((size) => size % 2)).size).toBe(2);
  }
});

it.each(SURFACES)('streams in pieces of every size by %s', (surface) => {
  const doors = [...DOORS.entries()].filter(([, door]) => isChatOf(door) && door.surface === surface);
  const tried = TRIED.flatMap(([, , , number]) => doors.flatMap(([at]) => sizesOf(number, at)));
  expect([...new Set(tried)].toSorted((a, b) => a - b)).toEqual(SIZES);
});

it('has texts with finds of each set but that of prompts without an attack', () => {
  const found = sample.map(({ texts }) =>
    texts.some((text) => verdictOf(Buffer.from(text, 'base64').toString()).finds > 0),
  );
  expect(found).toEqual([true, true, true, false]);
});

const SECRET = 'my key is ghp_16C7e42F292c6912E7710c838347Ae178B4a, keep it';
const TRIAL = { isEverywhere: true, isRepeated: true };

it.each(DOORS.map((door) => [door.surface, door] as const))(
  'is seen where it is not so: %s',
  async (_, door) => {
    const verdict = verdictOf(SECRET);
    expect(verdict).toMatchObject({ left: 'my key is [SECRET], keep it', finds: 1 });
    const leaks = { ...verdict, values: ['keep it'] };
    expect(await tryText(SECRET, leaks, { door, size: 0, ...TRIAL })).toContainEqual(
      expect.stringContaining('a value got out'),
    );
    const other = { ...verdict, left: SECRET };
    const wrong = await tryText(SECRET, other, { door, size: 0, ...TRIAL });
    expect(wrong).toContainEqual(expect.stringMatching(/another text|0 places/));
    expect(isSameInPieces(SECRET, other, 3)).toBe(false);
  },
);
