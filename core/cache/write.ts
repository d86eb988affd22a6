// Stores complete answers, after the caller has got them.

import type { FlowResult } from '../flow/run.ts';
import type { CachedAnswer, ResponseCacheStore, VectorIndex } from '../ports/response-cache.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { SemanticLookup } from './lookup.ts';
import type { CacheKey } from './plan.ts';

/** A DynamoDB item holds 400 KB, keys and figures included. */
const MAX_OUTPUT_BYTES = 350_000;

/** Finishes of model calls whose answer is or may be cut. */
const INCOMPLETE: ReadonlySet<string> = new Set(['length', 'other']);

interface AnswerOrigin {
  readonly executionId: string;
  readonly nowMs: number;
  readonly ttlMs: number;
  /** The scope in which other inputs may find it. */
  readonly semanticScope?: string | undefined;
}

/**
 * The stored form of an answer; undefined for a run that failed, was stopped, was cut by `maxTokens`, ended for an unknown reason, calls
 * tools, holds sealed thoughts, took a random branch, or has an output that is too large for an item.
 */
export function toCachedAnswer(
  result: FlowResult | undefined,
  origin: AnswerOrigin,
): CachedAnswer | undefined {
  if (result?.kind !== 'done' || result.stopped || result.output === undefined) return undefined;
  // Calls of tools are half of an answer, and their results may differ the next time.
  if ((result.toolCalls ?? []).length > 0) return undefined;
  // Sealed thoughts are for the one caller that has the conversation, and would be missing in its next turn.
  if (result.blocks !== undefined) return undefined;
  if (result.modelCalls.some(({ finish }) => INCOMPLETE.has(finish))) return undefined;
  if (result.trace.some(({ type }) => type === 'randomizedSplit')) return undefined;
  // A text has at least as many bytes as UTF-16 units: bytes are counted only for one that may fit.
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

export interface WritePorts {
  readonly responses: ResponseCacheStore;
  readonly vectors: VectorIndex;
}

/**
 * Writes answer and vector at once: either may be lost without harm, since a vector without its answer leads nowhere. Throws when one
 * was lost.
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
