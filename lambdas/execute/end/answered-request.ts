// Gathers what AWS charges a request by, as far as the function knows it when the line is written.
import { MEMORY_MEGABYTES } from '../../../adapters/platform/memory.ts';
import type { AnsweredRequest } from '../../../core/pricing/entry-charges.ts';
import { sum } from '../../../core/text/numbers.ts';
import { modelCallsOf, type Run } from '../run.ts';
import { toStorable } from './followers.ts';

/** How the request ends. */
interface RequestEnd {
  /** By the monotonic clock. */
  readonly endedMs: number;
  readonly isError: boolean;
  readonly settlements: number;
}

export function toAnsweredRequest(
  run: Readonly<Run>,
  { endedMs, isError, settlements }: RequestEnd,
): AnsweredRequest {
  const { admission, startedMs, limitWrites = 0 } = run;
  const calls = modelCallsOf(run);
  return {
    milliseconds: Math.max(0, endedMs - startedMs),
    memoryMegabytes: MEMORY_MEGABYTES,
    hasKey: admission?.keyId !== undefined,
    hasUsername: admission?.username !== undefined,
    isError,
    limitWrites: limitWrites + settlements,
    cache: cacheUse(run),
    models: new Set(calls.map(({ provider, model }) => JSON.stringify([provider, model]))).size,
    attempts: sum(calls.map(({ attempts }) => attempts)),
  };
}

function cacheUse(run: Readonly<Run>): AnsweredRequest['cache'] {
  if (run.caching?.plan.kind !== 'use') return 'off';
  return toStorable(run, 0) === undefined ? 'read' : 'written';
}
