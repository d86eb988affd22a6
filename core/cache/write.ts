// Stores an answer once the caller has it: complete ones only.

import type { FlowResult } from '../flow/run.ts';
import type { CachedAnswer, ResponseCacheStore, VectorIndex } from '../ports/response-cache.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { SemanticLookup } from './lookup.ts';
import type { CacheKey } from './plan.ts';

/** A DynamoDB item holds 400 KB; the rest is for its keys and figures. */
const MAX_OUTPUT_BYTES = 350_000;

/** Ends of a model call that leave an answer cut, or maybe so. */
const INCOMPLETE: ReadonlySet<string> = new Set(['length', 'other']);

/** Which execution stores an answer, and when. */
interface AnswerOrigin {
  readonly executionId: string;
  readonly nowMs: number;
  readonly ttlMs: number;
  /** Under which other inputs find it, where they can. */
  readonly semanticScope?: string | undefined;
}

/**
 * The answer as it is stored; undefined for a run that failed, was stopped, was cut short by `maxTokens` or ended by a reason that
 * nobody knows, calls tools, went through a step that draws anew for each request, or whose output no item holds.
 */
export function toCachedAnswer(
  result: FlowResult | undefined,
  origin: AnswerOrigin,
): CachedAnswer | undefined {
  if (result?.kind !== 'done' || result.stopped || result.output === undefined) return undefined;
  // Calls of tools are half of an answer, and what the caller's tools say may differ the next time.
  if ((result.toolCalls ?? []).length > 0) return undefined;
  if (result.modelCalls.some(({ finish }) => INCOMPLETE.has(finish))) return undefined;
  if (result.trace.some(({ type }) => type === 'randomizedSplit')) return undefined;
  // A text has at least as many bytes as UTF-16 units: only one that may fit is counted.
  if (result.output.length > MAX_OUTPUT_BYTES || utf8Bytes(result.output) > MAX_OUTPUT_BYTES)
    return undefined;
  const { executionId, nowMs, ttlMs, semanticScope } = origin;
  return {
    output: result.output,
    costMicrodollars: result.costMicrodollars,
    tokensInput: result.tokensInput,
    tokensOutput: result.tokensOutput,
    executionId,
    storedAtMs: nowMs,
    expiresAt: Math.floor((nowMs + ttlMs) / 1000),
    ...(semanticScope === undefined ? {} : { semanticScope }),
  };
}

/** What writing needs. */
export interface WritePorts {
  readonly responses: ResponseCacheStore;
  readonly vectors: VectorIndex;
}

/**
 * Answer and vector, side by side: either may be lost without harm, since a vector without its answer leads nowhere.
 * Throws when one of them was.
 */
export async function writeAnswer(
  { scope, inputHash }: CacheKey,
  answer: CachedAnswer,
  semantic: SemanticLookup['semantic'],
  { responses, vectors }: WritePorts,
): Promise<void> {
  const { expiresAt } = answer;
  const written = await Promise.allSettled([
    responses.write(scope, inputHash, answer),
    ...(semantic === undefined
      ? []
      : [vectors.write(semantic.scope, inputHash, { vector: semantic.vector, expiresAt })]),
  ]);
  const lost = written.find((one) => one.status === 'rejected');
  if (lost !== undefined) throw lost.reason;
}
