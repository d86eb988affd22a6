// The map with a bound: order, what is dropped, and going through it.
import { expect, it } from 'vitest';
import { createBoundedMap } from '../../../core/async/bounded-map.ts';

it('drops what was put longest ago, and says what that was', () => {
  const map = createBoundedMap<number>(2);
  expect(map.put('a', 1)).toBeUndefined();
  expect(map.put('b', 2)).toBeUndefined();
  expect(map.put('a', 3)).toBeUndefined();
  expect(map.put('c', 4)).toEqual(['b', 2]);
  expect([...map.entries()]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('is not put in another order by being read', () => {
  const map = createBoundedMap<number>(2);
  map.put('a', 1);
  map.put('b', 2);
  expect(map.get('a')).toBe(1);
  expect(map.put('c', 3)).toEqual(['a', 1]);
  expect(map.get('a')).toBeUndefined();
});

it('lets entries be deleted while it is gone through', () => {
  const map = createBoundedMap<number>(3);
  for (const key of ['a', 'b', 'c']) map.put(key, 1);
  const seen: string[] = [];
  for (const [key] of map.entries()) {
    seen.push(key);
    map.delete(key);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect([...map.entries()]).toEqual([]);
});
