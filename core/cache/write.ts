// Writes an answer into the cache, once the caller has it.
import type { CachedAnswer, ResponseCacheStore, VectorIndex } from '../ports/response-cache.ts';
import type { SemanticLookup } from './lookup.ts';
import type { CacheKey } from './plan.ts';

/** What writing needs. */
export interface WritePorts {
  readonly responses: ResponseCacheStore;
  readonly vectors: VectorIndex;
}

/**
 * Answer and vector, side by side: either may be lost without harm, since a vector without its answer leads nowhere.
 * Throws when one of them was.
 */
export async function writeAnswer(
  { scope, inputHash }: CacheKey,
  answer: CachedAnswer,
  meaning: SemanticLookup['meaning'],
  { responses, vectors }: WritePorts,
): Promise<void> {
  const { expiresAt } = answer;
  const written = await Promise.allSettled([
    responses.write(scope, inputHash, answer),
    ...(meaning === undefined
      ? []
      : [vectors.write(meaning.scope, inputHash, { vector: meaning.vector, expiresAt })]),
  ]);
  const lost = written.find((one) => one.status === 'rejected');
  if (lost !== undefined) throw lost.reason;
}
