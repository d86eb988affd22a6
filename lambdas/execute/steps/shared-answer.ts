// Shares the answer of a run with identical requests: with those that wait for it, and through the cache with later ones.
import { attempt } from '../../../core/async/duties.ts';
import type { CacheKey } from '../../../core/cache/plan.ts';
import { toCachedAnswer } from '../../../core/cache/write.ts';
import { toCachedVectors } from '../../../core/cache/write-vectors.ts';
import { reportDefect } from '../../../core/logs/incident-line.ts';
import type { CachedAnswer } from '../../../core/ports/response-cache.ts';
import { embedOf } from '../../../core/settings/flow-schema.ts';
import type { ExecutionPorts, Run } from '../run.ts';

/** Gives those who wait for this run its answer; without one to share, by a defect too, they run themselves. */
export function releaseFollowers(
  run: Readonly<Run>,
  ports: Pick<ExecutionPorts, 'clock' | 'stage' | 'lines'>,
): void {
  const answer = attempt(
    () => toStorable(run, ports.clock.now())?.answer,
    (thrown) => reportDefect('share the answer', thrown, run.request.executionId, ports),
  );
  run.lookup?.complete?.(answer);
}

/** The answer to share, and its key; undefined where there is none, or where it came from the cache itself. */
export function toStorable(
  { caching, lookup, result, request, guards }: Readonly<Run>,
  nowMs: number,
): { readonly key: CacheKey; readonly answer: CachedAnswer } | undefined {
  // Vectors are stored one by one.
  if (caching?.plan.kind !== 'use' || caching.vectors !== undefined || isUnjudged(guards)) return undefined;
  const { key } = caching.plan;
  const { executionId } = request;
  const semanticScope = lookup?.semantic?.scope;
  const answer = toCachedAnswer(result, { executionId, nowMs, ttlMs: key.ttlMs, semanticScope });
  return answer === undefined ? undefined : { key, answer };
}

/** The vectors to store by the hashes of their texts; none where nothing was made. */
export function toStorableVectors(
  { caching, lookup, result, request, invocation, version, guards }: Readonly<Run>,
  nowMs: number,
): { readonly key: CacheKey; readonly answers: ReadonlyMap<string, CachedAnswer> } | undefined {
  const step = version && embedOf(version.flow);
  const inputs = invocation?.embedding?.inputs;
  if (caching?.plan.kind !== 'use' || step === undefined || inputs === undefined || isUnjudged(guards))
    return undefined;
  const { key } = caching.plan;
  const { executionId } = request;
  const hashes = caching.vectors?.hashes ?? [];
  const known = lookup?.vectors;
  return { key, answers: toCachedVectors(result, { key, hashes, inputs, known, step, executionId, nowMs }) };
}

/** True where a guard that is down let something pass: a hit would let it pass again, unseen, when the guard is there. */
function isUnjudged(guards: Run['guards']): boolean {
  return (
    guards?.found().some(({ action, notJudged }) => notJudged !== undefined && action !== 'flag') === true
  );
}
