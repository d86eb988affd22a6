// The days of a usage query.
const DAY_MS = 86_400_000;

/** Every day (UTC) from one to another, both inclusive; none when the first comes after the last. */
export function daysBetween(fromDay: string, toDay: string): readonly string[] {
  const first = Date.parse(fromDay);
  const count = Math.max(0, Math.round((Date.parse(toDay) - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}
