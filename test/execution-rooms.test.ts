// Holds the house of a request: the rooms of lambdas/execute, files and folders, and the arrows of imports between them, all downward
// (docs/decisions/0041-files-of-one-importer-and-the-rooms-of-a-request.md).
import { expect, it } from 'vitest';
import { readSources } from './source-tree.ts';

const HOUSE = 'lambdas/execute/';
const MAX_ROOMS = 12;
const MAX_ARROWS = 30;

const roomOf = (path: string) => path.slice(HOUSE.length).split('/')[0] ?? '';
const sources = readSources([HOUSE.slice(0, -1)]);
const rooms = new Set(sources.map(({ path }) => roomOf(path)));
const arrows = new Set(
  sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      if (target === undefined || !target.startsWith(HOUSE)) return [];
      const [from, to] = [roomOf(path), roomOf(target)];
      return from === to ? [] : [`${from} → ${to}`];
    }),
  ),
);

/** Takes away, again and again, the rooms that nothing leads out of; the rest lie in a circle. */
function inCircles(): readonly string[] {
  let left = [...arrows].map((arrow) => arrow.split(' → '));
  for (;;) {
    const from = new Set(left.map(([room]) => room));
    const rest = left.filter(([, to]) => from.has(to));
    if (rest.length === left.length) return rest.map((arrow) => arrow.join(' → '));
    left = rest;
  }
}

it('a request goes through few rooms, and no import leads back up', () => {
  expect(inCircles()).toEqual([]);
  expect(arrows.size).toBeGreaterThan(10);
  expect(arrows.size, [...arrows].join('\n')).toBeLessThanOrEqual(MAX_ARROWS);
  expect(rooms.size, [...rooms].join('\n')).toBeLessThanOrEqual(MAX_ROOMS);
});
