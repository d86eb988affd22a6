// After the answer: writes it into the response cache, where it is one that may be stored.
import type { CacheKey } from '../../core/cache/plan.ts';
import { toCachedAnswer } from '../../core/cache/storable.ts';
import { type WritePorts, writeAnswer } from '../../core/cache/write.ts';
import { renderIncident } from '../../core/logs/incident-line.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { CachedAnswer } from '../../core/ports/response-cache.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Run } from './run.ts';

/** What caching an answer needs. */
export interface CacheAnswerPorts extends WritePorts {
  readonly stage: string;
  readonly clock: Clock;
  readonly lines: LineSink;
}

/** What a run leaves for others; undefined where there is nothing, or it came from the cache itself. */
export function toStorable(
  { caching, lookup, result, request }: Run,
  nowMs: number,
): { readonly place: CacheKey; readonly answer: CachedAnswer } | undefined {
  if (caching?.plan.kind !== 'use') return undefined;
  const { place } = caching.plan;
  const { executionId } = request;
  const meaning = lookup?.meaning?.scope;
  const answer = toCachedAnswer(result, { executionId, nowMs, ttlMs: place.ttlMs, meaning });
  return answer === undefined ? undefined : { place, answer };
}

/** Never throws: an answer that is not cached is made again. */
export async function cacheAnswer(run: Run, ports: CacheAnswerPorts): Promise<void> {
  const storable = toStorable(run, ports.clock.now());
  if (storable === undefined) return;
  try {
    await writeAnswer(storable.place, storable.answer, run.lookup?.meaning, ports);
  } catch {
    reportLoss(run.request.executionId, ports);
  }
}

/** The entry has been put by now, so a line of its own says it. */
function reportLoss(executionId: string, { stage, clock, lines }: CacheAnswerPorts): void {
  try {
    lines.write(renderIncident({ kind: 'neuronCacheLoss', executionId }, { stage, timeMs: clock.now() }));
  } catch {
    // Standard output is gone as well: nothing is left to say it with.
  }
}
