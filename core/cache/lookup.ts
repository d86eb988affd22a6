// Looks up the answer to a request: by its exact input, then among runs in flight, then semantically.

import { untilAborted } from '../async/race.ts';
import type { CacheFailure, CacheResult, LoggedModelCall } from '../contract/log-entry.ts';
import type { CachedAnswer, SemanticScope } from '../ports/response-cache.ts';
import { type ExactRead, isFresh } from './exact.ts';
import type { InFlight, InFlightRuns } from './in-flight.ts';
import type { CacheKey, CachePlan, SemanticSettings } from './plan.ts';
import { toVectorLookup, type VectorReads } from './vectors.ts';

export interface SemanticLookup {
  readonly found?: { readonly answer: CachedAnswer; readonly distance: number } | undefined;
  /** The model call of the embedding, if there was one. */
  readonly embedding?: LoggedModelCall | undefined;
  readonly failure?: CacheFailure | undefined;
  /** The place of the run's answer for other inputs. */
  readonly semantic?: { readonly scope: SemanticScope; readonly vector: readonly number[] } | undefined;
}

export interface CacheLookup {
  readonly result: CacheResult;
  readonly found?: CachedAnswer | undefined;
  /** The cosine distance of a semantic hit, 0 to 2. */
  readonly distance?: number | undefined;
  readonly embedding?: LoggedModelCall | undefined;
  readonly failures: readonly CacheFailure[];
  readonly semantic?: SemanticLookup['semantic'];
  /** Where vectors are asked for: those that were found, by the places of their texts. */
  readonly vectors?: readonly (Float32Array | undefined)[];
  /** The cost of those vectors, in microdollars. */
  readonly savedMicrodollars?: number;
  /** Set for the first of identical requests: passes its answer to the others. */
  readonly complete?: Extract<InFlight, { role: 'leader' }>['complete'];
}

/** A lookup whose exact read runs beside the writes of limits. */
export interface StartedLookup {
  readonly plan: CachePlan;
  readonly exact: Promise<ExactRead>;
  /** In place of it where vectors are asked for. */
  readonly vectors?: StartedVectorReads;
}

/** The reads of vectors, with the hashes of their texts. */
export interface StartedVectorReads {
  readonly hashes: readonly string[];
  readonly reads: Promise<VectorReads>;
}

interface LookupContext extends StartedLookup {
  readonly inFlight: InFlightRuns;
  readonly now: () => number;
  /** Aborts at the run's deadline, which ends the wait for another run. */
  readonly signal: AbortSignal;
  readonly semanticSearch: (key: CacheKey, semantic: SemanticSettings) => Promise<SemanticLookup>;
}

/** Rejects with the signal's reason when the deadline ends a wait for another run, never because of a failing cache. */
export async function lookUp(context: LookupContext): Promise<CacheLookup> {
  const { plan } = context;
  if (plan.kind !== 'use') return { result: plan.kind, failures: [] };
  if (context.vectors !== undefined) return toVectorLookup(await context.vectors.reads);
  const exact = await context.exact;
  if (exact.kind === 'found') return { result: 'exact', found: exact.answer, failures: [] };
  const failures: readonly CacheFailure[] = exact.kind === 'failed' ? ['read'] : [];
  const run = context.inFlight.join(plan.key);
  if (run.role === 'follower') {
    const answer = await untilAborted(context.signal, run.answer);
    if (answer !== undefined && isFresh(answer, plan.key.ttlMs, context.now())) {
      return { result: 'exact', found: answer, failures };
    }
  }
  const leading = run.role === 'leader' ? { complete: run.complete } : {};
  if (plan.semantic === undefined) return { result: 'miss', failures, ...leading };
  const { found, embedding, failure, semantic } = await context.semanticSearch(plan.key, plan.semantic);
  return {
    result: found === undefined ? 'miss' : 'semantic',
    found: found?.answer,
    distance: found?.distance,
    embedding,
    failures: failure === undefined ? failures : [...failures, failure],
    semantic,
    ...leading,
  };
}
