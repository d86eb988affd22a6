// Stores the vectors of a run, each for its text, after the caller has got them.
import { mapAtOnce } from '../async/at-once.ts';
import type { EmbeddingInput } from '../conversation/conversation.ts';
import type { FlowResult } from '../flow/run.ts';
import type { CachedAnswer, ResponseCacheStore } from '../ports/response-cache.ts';
import type { EmbedStep } from '../settings/flow-schema.ts';
import { encodeFloat32 } from '../text/float32.ts';
import { sum } from '../text/numbers.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { CacheLookup } from './lookup.ts';
import type { CacheKey } from './plan.ts';
import { AT_ONCE } from './vectors.ts';

interface VectorOrigin {
  readonly key: Pick<CacheKey, 'scope' | 'ttlMs'>;
  readonly hashes: readonly string[];
  readonly inputs: readonly EmbeddingInput[];
  /** The vectors that were found. */
  readonly known: CacheLookup['vectors'];
  readonly step: EmbedStep;
  readonly executionId: string;
  readonly nowMs: number;
}

/** The answers to store by the hashes of their texts: the vectors that a run made, each with its share of the run's cost. */
export function toCachedVectors(
  result: FlowResult | undefined,
  { key, hashes, inputs, known = [], step, executionId, nowMs }: VectorOrigin,
): ReadonlyMap<string, CachedAnswer> {
  if (result?.kind !== 'done' || result.vectors === undefined) return new Map();
  // A fallback's vectors are not those of the model that is asked next time.
  const isOfFirst = ({ provider, model }: { provider: string; model: string }) =>
    provider === step.provider && model === step.model;
  if (!result.modelCalls.every(isOfFirst)) return new Map();
  const { vectors, costMicrodollars, tokensInput } = result;
  const fresh = vectors.flatMap((vector, place) => {
    const hash = hashes[place];
    return hash === undefined || known[place] === vector
      ? []
      : [{ vector, hash, bytes: bytesOf(inputs[place]) }];
  });
  const total = sum(fresh.map(({ bytes }) => bytes));
  return new Map(
    fresh.map(({ vector, hash, bytes }) => [
      hash,
      {
        output: encodeFloat32(vector),
        costMicrodollars: costMicrodollars === null ? null : Math.floor((costMicrodollars * bytes) / total),
        tokensInput: Math.floor((tokensInput * bytes) / total),
        tokensOutput: 0,
        executionId,
        storedAtMs: nowMs,
        expiresAt: Math.floor((nowMs + key.ttlMs) / 1000),
      },
    ]),
  );
}

function bytesOf(input: EmbeddingInput = ''): number {
  return typeof input === 'string' ? utf8Bytes(input) : input.length;
}

/** Throws when one was lost. */
export async function writeVectors(
  { scope }: Pick<CacheKey, 'scope'>,
  answers: ReadonlyMap<string, CachedAnswer>,
  responses: ResponseCacheStore,
): Promise<void> {
  await mapAtOnce([...answers], AT_ONCE, ([hash, answer]) => responses.write(scope, hash, answer));
}
