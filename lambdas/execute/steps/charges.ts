// Adds up what AWS charges for a request, as far as its function knows.
import { MEMORY_MEGABYTES } from '../../../adapters/platform/memory.ts';
import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import { type AnsweredRequest, chargesOf } from '../../../core/pricing/entry-charges.ts';
import { sum } from '../../../core/text/numbers.ts';
import type { modelCallsOf, Run } from '../run.ts';
import { toStorable } from './shared-answer.ts';

export type ModelCalls = ReturnType<typeof modelCallsOf>;

interface RequestEnd {
  /** By the monotonic clock. */
  readonly endedMs: number;
  readonly isError: boolean;
  readonly settlements: number;
  readonly modelCalls: ModelCalls;
}

export function toCharges(run: Readonly<Run>, end: RequestEnd): EntryFacts['charges'] {
  return chargesOf(toAnsweredRequest(run, end));
}

/** The quantities that AWS charges the request by, as far as the function knows it when the line is written. */
function toAnsweredRequest(
  run: Readonly<Run>,
  { endedMs, isError, settlements, modelCalls }: RequestEnd,
): AnsweredRequest {
  const { admission, startedMs, limitWrites = 0, limitReads = 0 } = run;
  return {
    milliseconds: Math.max(0, endedMs - startedMs),
    memoryMegabytes: MEMORY_MEGABYTES,
    hasKey: admission?.keyId !== undefined,
    hasUsername: admission?.username !== undefined,
    isError,
    limitWrites: limitWrites + settlements,
    limitReads,
    cache: cacheUse(run),
    ...vectorUse(run),
    models: new Set(modelCalls.map(({ provider, model }) => JSON.stringify([provider, model]))).size,
    attempts: sum(modelCalls.map(({ attempts }) => attempts)),
    hasVersion: modelCalls.length > 0 || (run.result ?? run.lookup?.found) !== undefined,
  };
}

function cacheUse(run: Readonly<Run>): AnsweredRequest['cache'] {
  if (run.caching?.plan.kind !== 'use') return 'off';
  return toStorable(run, 0) === undefined ? 'read' : 'written';
}

function vectorUse({ caching, lookup, result }: Readonly<Run>): Pick<AnsweredRequest, 'vectors'> {
  if (caching?.vectors === undefined) return {};
  const read = new Set(caching.vectors.hashes).size;
  const missing = lookup?.vectors?.filter((vector) => vector === undefined).length ?? 0;
  return { vectors: { read, written: result?.kind === 'done' ? missing : 0 } };
}
