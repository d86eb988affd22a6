// Looks a request up in the cache: exactly, then among runs under way, then semantically.
import type { CacheResult } from '../contract/answer.ts';
import type { CacheFailure, LoggedModelCall } from '../contract/log-entry.ts';
import type { CachedAnswer, SemanticScope } from '../ports/response-cache.ts';
import { untilAborted } from '../time/race.ts';
import { type ExactRead, isFresh } from './exact.ts';
import type { InFlight, InFlightRuns } from './in-flight.ts';
import type { CacheKey, CachePlan, SemanticSettings } from './plan.ts';

/** What came of a semantic search. */
export interface SemanticLookup {
  readonly found?: { readonly answer: CachedAnswer; readonly distance: number } | undefined;
  /** What the embedding took; absent where none was asked for. */
  readonly embedding?: LoggedModelCall | undefined;
  readonly failure?: CacheFailure | undefined;
  /** Under which the answer of the run is to be found by others. */
  readonly semantic?: { readonly scope: SemanticScope; readonly vector: readonly number[] } | undefined;
}

/** What came of a lookup. */
export interface CacheLookup {
  readonly result: CacheResult;
  readonly found?: CachedAnswer | undefined;
  /** Of a semantic hit: cosine distance, 0 to 2. */
  readonly distance?: number | undefined;
  readonly embedding?: LoggedModelCall | undefined;
  readonly failures: readonly CacheFailure[];
  readonly semantic?: SemanticLookup['semantic'];
  /** Set for the first of identical requests: tells the others what the run came to. */
  readonly complete?: Extract<InFlight, { role: 'leader' }>['complete'];
}

/** A lookup whose exact read is under way: that is started beside the writes of limits. */
export interface StartedLookup {
  readonly plan: CachePlan;
  readonly exact: Promise<ExactRead>;
}

/** What a lookup works with. */
interface LookupContext extends StartedLookup {
  readonly inFlight: InFlightRuns;
  readonly now: () => number;
  /** The run's deadline; waiting for another run ends with it. */
  readonly signal: AbortSignal;
  readonly semanticSearch: (key: CacheKey, semantic: SemanticSettings) => Promise<SemanticLookup>;
}

/** No failure of the cache is one of the lookup. Rejects with the signal's reason when the deadline ends a wait for another run. */
export async function lookUp(context: LookupContext): Promise<CacheLookup> {
  const { plan } = context;
  if (plan.kind !== 'use') return { result: plan.kind, failures: [] };
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
