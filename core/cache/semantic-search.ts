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

/** The limit of every embedding model named in the docs, at one token per byte (Titan Text Embeddings V2: 8,192 tokens). */
const MAX_INPUT_BYTES = 8_192;
/** Hits to ask for: expired answers stay in the index for a while, and must not hide others. */
const NEAREST = 10;
/** Distances are in single precision: two equal vectors may be 6e-8 apart. */
const ROUNDING = 1e-6;
const INPUT_HASH = /^[0-9a-f]{64}$/;

interface SemanticRequest {
  readonly key: CacheKey;
  readonly semantic: SemanticSettings;
  readonly settings: UsableSettings;
  readonly input: string;
  /**
   * The outcomes of the flow's conditions on the input: inputs that take other branches are other questions. Called only for the short
   * inputs that are looked up: conditions on a long one could use up the time of the run.
   */
  readonly outcomes: () => Promise<string>;
}

export interface SemanticSearchPorts extends ReadPorts, EmbedPorts {
  readonly vectors: VectorIndex;
}

/** Failures are in the result, and the run continues without a hit. Rejects as `outcomes` does. */
export async function findSemantic(
  request: SemanticRequest,
  ports: SemanticSearchPorts,
): Promise<SemanticLookup> {
  const { input, semantic, key } = request;
  // Without a scope and a vector, the answer of the run is not stored for other inputs either.
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

/** Similarity is 1 − distance. Throws on a malformed list of hits. */
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
 * The index only names inputs. Answers are read within the caller's own cache scope and must name this partition, so that whatever an
 * index returns, no answer of another scope is served. All are read at once, so that expired ones cost no time.
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
 * Characters that a model reads, but that people, features and an embedding of spelling miss: controls except tab and line ends, format
 * characters (zero width, bidirectional, tags), private use, lone surrogates, unassigned code points, variation selectors and others
 * that are ignorable by default, spaces of unusual width, and brackets except the quotation marks among them.
 */
const UNSEEN =
  /(?![\t\n\r„‚])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u1680\u2000-\u200a\u205f\p{Ps}\p{Pe}]/u;
/** Combining marks that belong to no script; normalization has merged those of composed letters. */
const LOOSE_MARK = /(?=\p{M})[\p{Script=Inherited}\p{Script=Common}]/u;
/** The square in `10²`, which features and vectors read as 102. */
const RAISED_NUMBER = /\p{N}\p{No}/u;

/** False for an input that may contain more than is visible. */
export function isPlainText(input: string): boolean {
  return !UNSEEN.test(input) && !RAISED_NUMBER.test(input) && !LOOSE_MARK.test(input.normalize('NFC'));
}
