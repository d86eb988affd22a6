// Compares the use of stores of different sizes by the same calls.
import type { GrowthReport } from '../growth.ts';

/** Entries differ in times and latencies, so that a page may take one unit more or less. */
const UNITS_OF_A_QUERY = 1;

/** The differences in words; none where calls and units are the same. A query may consume one unit more or less. */
export function findDifferences(one: GrowthReport, other: GrowthReport): string[] {
  if (one.length !== other.length) return [`${one.length} kinds of calls, and ${other.length}`];
  return one.flatMap(({ name, calls, stores = {} }, index) => {
    const found = other[index];
    if (found?.name !== name || found.calls !== calls) return [`${name}: other calls`];
    const operations = new Set([...Object.keys(stores), ...Object.keys(found.stores ?? {})]);
    return [...operations].flatMap((operation) => {
      const before = stores[operation] ?? { calls: 0, units: 0 };
      const after = found.stores?.[operation] ?? { calls: 0, units: 0 };
      const allowed = operation.startsWith('Query ') ? before.calls * UNITS_OF_A_QUERY : 0;
      if (before.calls === after.calls && Math.abs(before.units - after.units) <= allowed) return [];
      return [`${name}, ${operation}: ${JSON.stringify(before)}, and ${JSON.stringify(after)}`];
    });
  });
}
