// Merges sorted lists into one of the same order.

/** A list whose first item has been requested, so that several lists start side by side. */
interface StartedList<T> {
  /** May reject without being awaited: the failure is thrown where the list is read. */
  readonly first: Promise<IteratorResult<T>>;
  readonly rest: AsyncIterator<T>;
}

/** Requests the first item at once. */
export function startList<T>(items: AsyncIterable<T>): StartedList<T> {
  const rest = items[Symbol.asyncIterator]();
  const first = rest.next();
  // Nobody awaits it when the caller stops early.
  first.catch(() => undefined);
  return { first, rest };
}

/** All items, the greatest `keyOf` first; each list is read one item ahead. */
export function mergeNewest<T>(
  lists: readonly StartedList<T>[],
  keyOf: (item: T) => string,
): AsyncGenerator<T> {
  return mergeSorted(lists, (a, b) => keyOf(a) > keyOf(b));
}

/** All items of lists in which every item comes before the next; each list is read one item ahead. */
export async function* mergeSorted<T>(
  lists: readonly StartedList<T>[],
  comesBefore: (a: T, b: T) => boolean,
): AsyncGenerator<T> {
  const heads: { item: T; rest: AsyncIterator<T> }[] = [];
  for (const { first, rest } of lists) {
    const { done, value } = await first;
    if (!done) heads.push({ item: value, rest });
  }
  while (heads.length > 0) {
    const next = heads.reduce((best, head) => (comesBefore(head.item, best.item) ? head : best));
    yield next.item;
    const { done, value } = await next.rest.next();
    if (done) heads.splice(heads.indexOf(next), 1);
    else next.item = value;
  }
}
