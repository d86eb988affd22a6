// Merges lists that are each sorted newest first into one.

/** A list whose first item is already on its way, so that several lists start side by side. */
interface StartedList<T> {
  /** Never left unhandled: whoever goes on to the list hears of its failure. */
  readonly first: Promise<IteratorResult<T>>;
  readonly rest: AsyncIterator<T>;
}

/** Asks for the first item at once. */
export function startList<T>(items: AsyncIterable<T>): StartedList<T> {
  const rest = items[Symbol.asyncIterator]();
  const first = rest.next();
  // Not reached when the caller stops early.
  first.catch(() => undefined);
  return { first, rest };
}

/** All items, the greatest `keyOf` first; each list is read one item ahead. */
export async function* mergeNewest<T>(
  lists: readonly StartedList<T>[],
  keyOf: (item: T) => string,
): AsyncGenerator<T> {
  const heads: { item: T; key: string; rest: AsyncIterator<T> }[] = [];
  for (const { first, rest } of lists) {
    const { done, value } = await first;
    if (!done) heads.push({ item: value, key: keyOf(value), rest });
  }
  while (heads.length > 0) {
    const newest = heads.reduce((best, head) => (head.key > best.key ? head : best));
    yield newest.item;
    const next = await newest.rest.next();
    if (next.done) heads.splice(heads.indexOf(newest), 1);
    else Object.assign(newest, { item: next.value, key: keyOf(next.value) });
  }
}
