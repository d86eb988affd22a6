// Filters of a list that no index has: they read each entry whole.
import { mapAtOnce } from '../../../core/async/at-once.ts';
import type { LoggedGuard } from '../../../core/contract/log-entry.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { NamedEntry, OwnersReader } from './read-owners.ts';

/** Entries that are read at once: a page of the list. */
const READS_AT_ONCE = 16;
const PAGE = 64;

export interface WholeFilter {
  readonly provider?: string | undefined;
  /** Name and value. */
  readonly tag?: readonly [string, string] | undefined;
  /** Name of a guard with a find. */
  readonly guard?: string | undefined;
}

/** In the order of the list. An entry that is gone since it was listed is left out. */
export function selectWhole(
  listed: OwnersReader,
  { provider, tag, guard }: WholeFilter,
  { find }: Pick<LogReader, 'find'>,
): OwnersReader {
  if (provider === undefined && tag === undefined && guard === undefined) return listed;
  const isWanted = async ({ executionId }: NamedEntry) => {
    const entry = await find(executionId);
    if (entry === undefined) return false;
    const asks = provider === undefined || entry.modelCalls.some((call) => call.provider === provider);
    const { [tag?.[0] ?? '']: value } = entry.tags ?? {};
    const isFound = guard === undefined || (entry.guards ?? []).some((one) => hasFound(one, guard));
    return asks && isFound && (tag === undefined || value === tag[1]);
  };
  async function* select(page: readonly NamedEntry[]) {
    const wanted = await mapAtOnce(page, READS_AT_ONCE, isWanted);
    yield* page.filter((_, index) => wanted[index]);
  }
  return {
    async *list(query, onProgress) {
      let page: NamedEntry[] = [];
      for await (const entry of listed.list(query, onProgress)) {
        page.push(entry);
        if (page.length < PAGE) continue;
        yield* select(page);
        page = [];
      }
      yield* select(page);
    },
  };
}

/** A guard that was not asked, or found nothing, has no finds. */
function hasFound({ guard, finds }: LoggedGuard, name: string): boolean {
  return guard === name && finds.length > 0;
}

/** Reads no further than the newest so many. */
export function takeNewest(listed: OwnersReader, limit: number | undefined): OwnersReader {
  if (limit === undefined) return listed;
  return {
    async *list(query, onProgress) {
      let taken = 0;
      for await (const entry of listed.list(query, onProgress)) {
        yield entry;
        taken += 1;
        if (taken === limit) return;
      }
    },
  };
}
