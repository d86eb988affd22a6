// Looks a request up in the cache: exactly, then among runs under way, then by meaning.
import type { CacheResult } from '../contract/answer.ts';
import type { CacheFailure, LoggedModelCall } from '../contract/log-entry.ts';
import type { CachedAnswer, SemanticScope } from '../ports/response-cache.ts';
import { untilAborted } from '../time/race.ts';
import { type ExactRead, isFresh } from './exact.ts';
import type { InFlight, InFlightRuns } from './in-flight.ts';
import type { CacheKey, CachePlan, SemanticSettings } from './plan.ts';

/** What came of looking by meaning. */
export interface SemanticLookup {
  readonly found?: { readonly answer: CachedAnswer; readonly distance: number } | undefined;
  /** What the embedding took; absent where none was asked for. */
  readonly embedding?: LoggedModelCall | undefined;
  readonly failure?: CacheFailure | undefined;
  /** Under which the answer of the run is to be found by others. */
  readonly meaning?: { readonly scope: SemanticScope; readonly vector: readonly number[] } | undefined;
}

/** What came of a lookup. */
export interface CacheLookup {
  readonly result: CacheResult;
  readonly found?: CachedAnswer | undefined;
  /** Of a semantic hit: cosine distance, 0 to 2. */
  readonly distance?: number | undefined;
  readonly embedding?: LoggedModelCall | undefined;
  readonly failures: readonly CacheFailure[];
  readonly meaning?: SemanticLookup['meaning'];
  /** Set for the first of identical requests: tells the others what the run came to. */
  readonly land?: Extract<InFlight, { role: 'leader' }>['land'];
}

/** A lookup whose exact read is under way: it is started beside the writes of limits. */
export interface BegunLookup {
  readonly plan: CachePlan;
  readonly exact: Promise<ExactRead>;
}

/** What a lookup works with. */
export interface Lookup extends BegunLookup {
  readonly flights: InFlightRuns;
  readonly now: () => number;
  /** The run's deadline; waiting for another run ends with it. */
  readonly signal: AbortSignal;
  readonly semanticSearch: (place: CacheKey, semantic: SemanticSettings) => Promise<SemanticLookup>;
}

/** No failure of the cache is one of the lookup. Rejects with the signal's reason when the deadline ends a wait for another run. */
export async function lookUp(lookup: Lookup): Promise<CacheLookup> {
  const { plan } = lookup;
  if (plan.kind !== 'use') return { result: plan.kind, failures: [] };
  const exact = await lookup.exact;
  if (exact.kind === 'found') return { result: 'exact', found: exact.answer, failures: [] };
  const failures: readonly CacheFailure[] = exact.kind === 'failed' ? ['read'] : [];
  const flight = lookup.flights.join(plan.place);
  if (flight.role === 'follower') {
    const answer = await untilAborted(lookup.signal, flight.landed);
    if (answer !== undefined && isFresh(answer, plan.place.ttlMs, lookup.now())) {
      return { result: 'exact', found: answer, failures };
    }
  }
  const land = flight.role === 'leader' ? { land: flight.land } : {};
  if (plan.semantic === undefined) return { result: 'miss', failures, ...land };
  const { found, embedding, failure, meaning } = await lookup.semanticSearch(plan.place, plan.semantic);
  return {
    result: found === undefined ? 'miss' : 'semantic',
    found: found?.answer,
    distance: found?.distance,
    embedding,
    failures: failure === undefined ? failures : [...failures, failure],
    meaning,
    ...land,
  };
}
