// The vectors of texts in the exact cache: each text has an entry of its own, so that a request pays only for those that are new.

import { mapAtOnce } from '../async/at-once.ts';
import { within } from '../async/race.ts';
import type { EmbeddingInput, EmbeddingWish } from '../conversation/conversation.ts';
import type { CachedAnswer } from '../ports/response-cache.ts';
import type { EmbedStep } from '../settings/flow-schema.ts';
import { digestOfParts } from '../text/digest.ts';
import { decodeFloat32, describeVectors } from '../text/float32.ts';
import { sum } from '../text/numbers.ts';
import { isFresh, type ReadPorts, STORE_MS } from './exact.ts';
import type { CacheLookup } from './lookup.ts';
import type { CacheKey } from './plan.ts';

/** Reads and writes at once: a request may have thousands of texts. */
export const AT_ONCE = 24;

/** A vector that was found, and the answer that it is stored as. */
interface FoundVector {
  readonly vector: Float32Array;
  readonly answer: CachedAnswer;
}

/** The vectors of a request by the places of their texts. */
export interface VectorReads {
  readonly found: readonly (FoundVector | undefined)[];
  readonly hasFailed: boolean;
}

/** Names a text within a cache scope, with everything besides that decides on its vector. */
export function hashEmbeddingInput(
  input: EmbeddingInput,
  { provider, model, inputType, dimensions }: EmbedStep,
  wish: Pick<EmbeddingWish, 'dimensions'>,
): string {
  const kind = typeof input === 'string' ? 'text' : 'tokens';
  return digestOfParts([
    'embedding 1',
    provider,
    model,
    inputType ?? '',
    String(dimensions ?? wish.dimensions ?? ''),
    kind,
    typeof input === 'string' ? input : JSON.stringify(input),
  ]);
}

/** Never rejects. What the store has not given in time counts as absent. */
export async function readVectors(
  { scope, ttlMs }: Pick<CacheKey, 'scope' | 'ttlMs'>,
  hashes: readonly string[],
  { clock, responses }: ReadPorts,
): Promise<VectorReads> {
  const known = new Map<string, FoundVector>();
  let isLate = false;
  const readAll = mapAtOnce([...new Set(hashes)], AT_ONCE, async (hash) => {
    if (isLate) return;
    const answer = await responses.read(scope, hash);
    if (answer === undefined || !isFresh(answer, ttlMs, clock.now())) return;
    const vector = decodeFloat32(answer.output);
    if (vector !== undefined) known.set(hash, { vector, answer });
  });
  const hasFailed = await within(clock, STORE_MS, () => readAll).then(
    () => false,
    () => true,
  );
  isLate = true;
  // A copy: reads that come late change it for nobody.
  return { found: toOneLength(hashes.map((hash) => known.get(hash))), hasFailed };
}

/** Those of the first one's length: a model that was changed in its place makes vectors of another. */
function toOneLength(found: VectorReads['found']): VectorReads['found'] {
  const length = found.find((one) => one !== undefined)?.vector.length;
  return found.map((one) => (one?.vector.length === length ? one : undefined));
}

/** A hit where every vector was there. */
export function toVectorLookup({ found, hasFailed }: VectorReads): CacheLookup {
  const vectors = found.map((one) => one?.vector);
  const failures = hasFailed ? (['read'] as const) : [];
  const answers = found.flatMap((one) => one?.answer ?? []);
  const lookup = {
    vectors,
    failures,
    savedMicrodollars: sum(answers.map((one) => one.costMicrodollars ?? 0)),
  };
  const [first] = answers;
  if (first === undefined || answers.length < found.length) return { ...lookup, result: 'miss' };
  return {
    ...lookup,
    result: 'exact',
    found: { ...first, output: describeVectors(found.flatMap((one) => one?.vector ?? [])) },
  };
}
