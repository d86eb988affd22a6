// Ports of the response cache: whole answers by the digest of their input, and a semantic search among inputs.
import * as z from 'zod/mini';

declare const scoped: unique symbol;

/**
 * The scope within which answers are shared: SHA-256 in hex. Only `core/cache/scope.ts` makes one, and every read, write and search
 * needs one.
 */
export type CacheScope = string & { readonly [scoped]: 'answers' };

/** The scope within which inputs are compared semantically: a part of one cache scope, and the partition of every search. */
export type SemanticScope = string & { readonly [scoped]: 'semantic' };

const count = z.int().check(z.gte(0));

const cachedItemSchema = z.object({
  output: z.string(),
  /** The cost of the run that produced the answer: integer microdollars, null where the price is unknown. */
  costMicrodollars: z.nullable(count),
  tokensInput: count,
  tokensOutput: count,
  /** The run that produced the answer. */
  executionId: z.string(),
  /** Milliseconds since the Unix epoch. */
  storedAtMs: count,
  /** Unix epoch seconds; the store may delete later, so readers check it. */
  expiresAt: count,
  /** The semantic scope; absent where no other input may find it. */
  meaning: z.optional(z.string()),
});

type CachedItem = Readonly<z.output<typeof cachedItemSchema>>;

export interface CachedAnswer extends Omit<CachedItem, 'meaning'> {
  /** The scope in which other inputs may find it; absent where none may. Stored as `meaning`. */
  readonly semanticScope?: string | undefined;
}

/** Parses an item of a response cache. Throws when it is incomplete. */
export function parseCachedAnswer(item: unknown): CachedAnswer {
  const parsed = cachedItemSchema.safeParse(item);
  if (!parsed.success) throw new Error('a cached answer is malformed');
  const { meaning, ...answer } = parsed.data;
  return { ...answer, ...(meaning === undefined ? {} : { semanticScope: meaning }) };
}

/** The attributes of an item that `parseCachedAnswer` reads. */
export function toCachedItem({ semanticScope, ...answer }: CachedAnswer): CachedItem {
  return { ...answer, ...(semanticScope === undefined ? {} : { meaning: semanticScope }) };
}

/** Answers by scope and digest of the input. Methods throw on failure, which must not fail a run. */
export interface ResponseCacheStore {
  read(scope: CacheScope, inputHash: string): Promise<CachedAnswer | undefined>;
  /** Replaces an answer that is there. */
  write(scope: CacheScope, inputHash: string, answer: CachedAnswer): Promise<void>;
}

/** A similar input; the cosine distance goes from 0 (same direction) to 2 (opposite). */
export interface VectorHit {
  readonly inputHash: string;
  readonly distance: number;
}

/** Inputs by their vectors. Methods throw on failure. */
export interface VectorIndex {
  /** The nearest inputs of one scope, nearest first; answers of some may have expired. */
  search(scope: SemanticScope, vector: readonly number[], limit: number): Promise<readonly VectorHit[]>;
  /** `expiresAt`: Unix epoch seconds. */
  write(
    scope: SemanticScope,
    inputHash: string,
    entry: { readonly vector: readonly number[]; readonly expiresAt: number },
  ): Promise<void>;
}
