// Adds up what AWS charges for a request, as far as its function knows.
import { MEMORY_MEGABYTES } from '../../../adapters/platform/memory.ts';
import type { FlowResult } from '../../../core/flow/run.ts';
import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import { type AnsweredRequest, chargesOf } from '../../../core/pricing/entry-charges.ts';
import { sum } from '../../../core/text/numbers.ts';
import type { Run } from '../run.ts';
import { toStorable } from './shared-answer.ts';

export type ModelCalls = FlowResult['modelCalls'];

interface RequestEnd {
  /** By the monotonic clock. */
  readonly endedMs: number;
  readonly isError: boolean;
  readonly settlements: number;
  readonly modelCalls: ModelCalls;
}

/** By the quantities that are known when the line is written. */
export function toCharges(
  run: Readonly<Run>,
  { endedMs, isError, settlements, modelCalls }: RequestEnd,
): EntryFacts['charges'] {
  const { admission, startedMs, limitWrites = 0, limitReads = 0 } = run;
  const quantities: AnsweredRequest = {
    milliseconds: Math.max(0, endedMs - startedMs),
    memoryMegabytes: MEMORY_MEGABYTES,
    hasKey: admission?.keyId !== undefined,
    hasUsername: admission?.username !== undefined,
    isError,
    limitWrites: limitWrites + settlements,
    limitReads,
    ...vectorUse(run),
    cache: cacheUse(run),
    models: new Set(modelCalls.map(({ provider, model }) => JSON.stringify([provider, model]))).size,
    attempts: sum(modelCalls.map(({ attempts }) => attempts)),
    hasVersion: modelCalls.length > 0 || (run.result ?? run.lookup?.found) !== undefined,
  };
  return chargesOf(quantities);
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
