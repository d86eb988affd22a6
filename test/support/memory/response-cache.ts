// The response cache in memory: entries, and a semantic search that compares every vector of the scope.
import {
  parseCachedAnswer,
  type ResponseCacheStore,
  toCachedItem,
  type VectorIndex,
} from '../../../core/ports/response-cache.ts';

/** What was written stays until it is written over; like the real one, it leaves the ends of answers to its readers. */
export function createMemoryResponseCache(): ResponseCacheStore {
  const answers = new Map<string, unknown>();
  return {
    async read(scope, inputHash) {
      const found = answers.get(`${scope} ${inputHash}`);
      return found === undefined ? undefined : parseCachedAnswer(found);
    },
    async write(scope, inputHash, answer) {
      answers.set(`${scope} ${inputHash}`, toCachedItem(answer));
    },
  };
}

export function createMemoryVectorIndex(): VectorIndex {
  const scopes = new Map<string, Map<string, readonly number[]>>();
  return {
    async search(scope, vector, limit) {
      return [...(scopes.get(scope) ?? [])]
        .map(([inputHash, other]) => ({ inputHash, distance: cosineDistance(vector, other) }))
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, limit);
    },
    async write(scope, inputHash, { vector }) {
      scopes.set(scope, (scopes.get(scope) ?? new Map()).set(inputHash, vector));
    },
  };
}

function cosineDistance(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return 1 - dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}
