// The semantic search: the nearest input of the same scope whose answer is still fresh.

import { within } from '../async/race.ts';
import type { SemanticScope, VectorHit, VectorIndex } from '../ports/response-cache.ts';
import type { UsableSettings } from '../settings/usable-settings.ts';
import { utf8Bytes } from '../text/utf8.ts';
import { DIMENSIONS, type EmbedPorts, embed } from './embed.ts';
import { type ReadPorts, readExact, STORE_MS } from './exact.ts';
import type { SemanticLookup } from './lookup.ts';
import type { CacheKey, SemanticSettings } from './plan.ts';
import { toSemanticScope } from './scope.ts';
import { digestOfFeatures } from './semantic-guard.ts';

/** What fits every embedding model named in the docs, at one token per byte (Titan Text Embeddings V2: 8,192 tokens). */
const MAX_INPUT_BYTES = 8_192;
/** How many are asked for: what has ended stays in the index for a while, and must not hide what has not. */
const NEAREST = 10;
/** Distances are computed in single precision: two equal vectors may be 6e-8 apart. */
const ROUNDING = 1e-6;
const INPUT_HASH = /^[0-9a-f]{64}$/;

/** What is searched for. */
interface SemanticRequest {
  readonly key: CacheKey;
  readonly semantic: SemanticSettings;
  readonly settings: UsableSettings;
  readonly input: string;
  /**
   * How the conditions of the flow on the input come out: inputs that take other branches are other questions. Asked only for inputs that
   * are looked up, which are short: conditions on a long one could take the time of the run.
   */
  readonly outcomes: () => Promise<string>;
}

/** What a semantic search needs. */
export interface SemanticSearchPorts extends ReadPorts, EmbedPorts {
  readonly vectors: VectorIndex;
}

/** What fails is said in the result, and the run goes on without. Rejects with what `outcomes` throws. */
export async function findSemantic(
  request: SemanticRequest,
  ports: SemanticSearchPorts,
): Promise<SemanticLookup> {
  const { input, semantic, key } = request;
  // Without a scope and a vector the answer of the run is not stored for other inputs to find either.
  if (input.trim() === '' || utf8Bytes(input) > MAX_INPUT_BYTES || !isPlainText(input)) return {};
  const outcomes = await request.outcomes();
  const { vector, call } = await embed(input, semantic.embedding, ports);
  if (vector === undefined) return { embedding: call, failure: 'embedding' };
  const scope = toSemanticScope(key.scope, {
    settings: request.settings,
    embedding: semantic.embedding,
    dimensions: DIMENSIONS,
    outcomes,
    features: digestOfFeatures(input),
  });
  const made = { embedding: call, semantic: { scope, vector } };
  try {
    const hits = await within(ports.clock, STORE_MS, () => ports.vectors.search(scope, vector, NEAREST));
    const near = nearEnough(hits, semantic.threshold);
    return { ...made, found: await nearestFresh(near, scope, key, ports) };
  } catch {
    return { ...made, failure: 'search' };
  }
}

/** Similarity is 1 − distance. Throws on what is no list of hits. */
function nearEnough(hits: readonly VectorHit[], threshold: number): VectorHit[] {
  const isHit = ({ inputHash, distance }: VectorHit) =>
    INPUT_HASH.test(inputHash) && distance >= -ROUNDING && distance <= 2 + ROUNDING;
  if (!Array.isArray(hits) || !hits.every(isHit)) throw new Error('the search gave something that is no hit');
  return hits
    .filter(({ distance }) => 1 - distance >= threshold - ROUNDING)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, NEAREST);
}

/**
 * The index only names inputs. The answer is read within the caller's own cache scope, and must say itself that it belongs to
 * this partition: so whatever an index returns, nothing of another scope is served. All are read at once, so that what has ended
 * costs no wait.
 */
async function nearestFresh(
  near: readonly VectorHit[],
  scope: SemanticScope,
  key: CacheKey,
  ports: ReadPorts,
): Promise<SemanticLookup['found']> {
  const reads = near.map(async ({ inputHash, distance }) => ({
    distance,
    read: await readExact({ ...key, inputHash }, ports),
  }));
  for (const { distance, read } of await Promise.all(reads)) {
    if (read.kind === 'failed') throw new Error('an answer could not be read');
    if (read.kind === 'found' && read.answer.semanticScope === scope) {
      return { answer: read.answer, distance: Math.max(0, distance) };
    }
  }
  return undefined;
}

/**
 * What neither features nor an embedding of spelling see, or readers either, though a model reads it: controls but tab and line ends,
 * format characters (zero width, bidirectional, tags), private use, lone surrogates, unassigned code points, variation selectors
 * and all else that is ignored by default, spaces of unusual width, and brackets but the quotation marks among them.
 */
const UNSEEN =
  /(?![\t\n\r„‚])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u1680\u2000-\u200a\u205f\p{Ps}\p{Pe}]/u;
/** Marks of no script, which stand on any letter: those that a composed letter holds are gone after normalization. */
const LOOSE_MARK = /(?=\p{M})[\p{Script=Inherited}\p{Script=Common}]/u;
/** The square in `10²`: in the spelling that features and vectors are of, it is 102. */
const RAISED_NUMBER = /\p{N}\p{No}/u;

/** False for an input that may hold more than is seen of it. */
export function isPlainText(input: string): boolean {
  return !UNSEEN.test(input) && !RAISED_NUMBER.test(input) && !LOOSE_MARK.test(input.normalize('NFC'));
}
