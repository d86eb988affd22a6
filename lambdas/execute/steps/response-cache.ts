// Looks for the answer in the response cache. A hit goes on the record; the end of the chain returns it in place of a run.
import { type ReadPorts, readExact } from '../../../core/cache/exact.ts';
import type { InFlightRuns } from '../../../core/cache/in-flight.ts';
import { lookUp } from '../../../core/cache/lookup.ts';
import { type CacheKey, type CachePlan, planCaching } from '../../../core/cache/plan.ts';
import { toCachedAnswer } from '../../../core/cache/storable.ts';
import type { CachedAnswer } from '../../../core/ports/response-cache.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { type Middleware, runSoFar } from '../bind.ts';
import type { AdmittedRun, CacheReadingRun, LookedUpRun, PartialRun, VersionedRun } from '../run.ts';
import { type SemanticPorts, semanticSearch } from '../semantic-search.ts';

/** What the lookup needs. */
export interface LookUpPorts extends SemanticPorts {
  /** One per environment. */
  readonly flights: InFlightRuns;
}

/** Starts the exact read, to be looked at once the request has been admitted: it runs beside the writes of limits. */
export function startCacheRead(run: VersionedRun, ports: ReadPorts): CacheReadingRun {
  const plan = planOf(run);
  const exact =
    plan.kind === 'use' ? readExact(plan.place, ports) : Promise.resolve({ kind: 'absent' as const });
  return { ...run, caching: { plan, exact } };
}

/** Comes after everything that may refuse the request. Nothing that fails in here fails a run. */
export async function lookUpAnswer(run: AdmittedRun, ports: LookUpPorts): Promise<LookedUpRun> {
  const lookup = await lookUp({
    ...run.caching,
    flights: ports.flights,
    now: ports.clock.now,
    signal: run.deadline.signal,
    semanticSearch: (place, semantic) => semanticSearch(run, { place, semantic }, ports),
  });
  return { ...run, lookup };
}

/** However the run ends, the identical requests that wait for it get its answer, or go on by themselves. */
export function releaseFollowers({ clock }: { readonly clock: Clock }): Middleware {
  const release = (run: PartialRun | undefined): void =>
    run?.lookup?.land?.(toStorable(run, clock.now())?.answer);
  return {
    after: ({ event }) => release(runSoFar(event)),
    onError: ({ event }) => release(runSoFar(event)),
  };
}

/** What a run leaves for others; undefined where there is nothing, or it came from the cache itself. */
export function toStorable(
  { caching, lookup, result, request }: PartialRun,
  nowMs: number,
): { readonly place: CacheKey; readonly answer: CachedAnswer } | undefined {
  if (caching?.plan.kind !== 'use') return undefined;
  const { place } = caching.plan;
  const { executionId } = request;
  const meaning = lookup?.meaning?.scope;
  const answer = toCachedAnswer(result, { executionId, nowMs, ttlMs: place.ttlMs, meaning });
  return answer === undefined ? undefined : { place, answer };
}

function planOf({ settings, version, request, admission, invocation }: VersionedRun): CachePlan {
  return planCaching({
    settings,
    version,
    preview: request.revision !== undefined,
    caller: admission,
    input: invocation.input,
    bypassCache: invocation.bypassCache,
  });
}
