// Looks the answer up in the response cache. A hit is put on the record; the end of the chain returns it in place of a run.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ReadPorts, readExact } from '../../../core/cache/exact.ts';
import type { InFlightRuns } from '../../../core/cache/in-flight.ts';
import { lookUp } from '../../../core/cache/lookup.ts';
import { type CacheKey, type CachePlan, planCaching } from '../../../core/cache/plan.ts';
import { toCachedAnswer } from '../../../core/cache/write.ts';
import type { CachedAnswer } from '../../../core/ports/response-cache.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { type Middleware, runSoFar } from '../bind.ts';
import type { AdmittedRun, CacheReadingRun, LookedUpRun, PartialRun, VersionedRun } from '../run.ts';
import { type SemanticPorts, semanticSearch } from '../semantic-search.ts';

/** What the lookup needs. */
interface LookUpPorts extends SemanticPorts {
  /** One per environment. */
  readonly inFlight: InFlightRuns;
}

/** Starts the exact read beside the writes of limits. Its result is used only after the request has been admitted. */
export function startCacheRead(run: VersionedRun, ports: ReadPorts): CacheReadingRun {
  const plan = planOf(run);
  const exact =
    plan.kind === 'use' ? readExact(plan.key, ports) : Promise.resolve({ kind: 'absent' as const });
  return { ...run, caching: { plan, exact } };
}

/** Runs after every step that may reject the request. A failure in here fails no run. */
export async function lookUpAnswer(run: AdmittedRun, ports: LookUpPorts): Promise<LookedUpRun> {
  const lookup = await lookUp({
    ...run.caching,
    inFlight: ports.inFlight,
    now: ports.clock.now,
    signal: run.deadline.signal,
    semanticSearch: (key, semantic) => semanticSearch(run, { key, semantic }, ports),
  });
  return { ...run, lookup };
}

/** However the run ends, the identical requests that wait for it get its answer, or run themselves. */
export function releaseFollowers({ clock }: { readonly clock: Clock }): Middleware {
  const releaseAt = ({ event }: { readonly event: APIGatewayProxyEvent }): void => {
    const run = runSoFar(event);
    // A stream does it at its own end.
    if (run !== undefined && run.streaming === undefined) release(run, clock);
  };
  return { after: releaseAt, onError: releaseAt };
}

/** Gives those who wait for this run its answer, or nothing where there is none to share. */
export function release(run: PartialRun, clock: Pick<Clock, 'now'>): void {
  run.lookup?.complete?.(toStorable(run, clock.now())?.answer);
}

/** What a run leaves for others; undefined where there is nothing, or it came from the cache itself. */
export function toStorable(
  { caching, lookup, result, request }: PartialRun,
  nowMs: number,
): { readonly key: CacheKey; readonly answer: CachedAnswer } | undefined {
  if (caching?.plan.kind !== 'use') return undefined;
  const { key } = caching.plan;
  const { executionId } = request;
  const semanticScope = lookup?.semantic?.scope;
  const answer = toCachedAnswer(result, { executionId, nowMs, ttlMs: key.ttlMs, semanticScope });
  return answer === undefined ? undefined : { key, answer };
}

function planOf({ settings, version, request, admission, invocation }: VersionedRun): CachePlan {
  return planCaching({
    settings,
    version,
    preview: request.revision !== undefined,
    caller: admission,
    conversation: invocation.conversation,
    bypassCache: invocation.bypassCache,
  });
}
