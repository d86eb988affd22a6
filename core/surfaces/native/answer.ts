// Renders the answer of a run that succeeded or was stopped.

import { FIXED_HEADERS, RESPONSE_HEADERS } from '../../contract/headers.ts';
import type { CacheResult } from '../../contract/log-entry.ts';
import type { ToolCall } from '../../conversation/conversation.ts';
import { type RateLimitView, rateLimitHeaders } from '../rate-limit.ts';
import type { Answer } from './errors.ts';

/** The JSON body of a success; `output` is absent when a run was stopped without one. */
export interface SuccessBody {
  readonly output?: string;
  /** What the model wants of the caller's tools; absent for nothing. */
  readonly toolCalls?: readonly ToolCall[];
  readonly fromCache: boolean;
  readonly executionStopped: boolean;
}

/** The outcome of a run, as far as a caller may see it. */
export interface RunResult {
  readonly output: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly executionStopped: boolean;
  readonly cache: CacheResult;
  /** True for a text that `maxTokens` cut. */
  readonly isCut?: boolean;
  /** Of all model calls together; 0 for an answer from the cache. */
  readonly usage?: { readonly input: number; readonly output: number };
}

/** Figures shown to callers with an API key, or to all where the neuron says `receipt: true`. */
export interface Receipt {
  /** Integer microdollars; undefined when a price is unknown. */
  readonly costMicrodollars: number | undefined;
  readonly tokensInput: number;
  readonly tokensOutput: number;
}

/** Renders the answer of a run. */
export function renderAnswer(
  result: RunResult,
  detail: {
    readonly executionId: string;
    readonly rawOutput: boolean;
    readonly receipt?: Receipt | undefined;
    readonly rateLimit?: RateLimitView | undefined;
  },
): Answer {
  const contentType = detail.rawOutput ? 'text/plain; charset=utf-8' : 'application/json';
  return {
    status: 200,
    headers: {
      'Content-Type': contentType,
      ...FIXED_HEADERS,
      [RESPONSE_HEADERS.executionId]: detail.executionId,
      [RESPONSE_HEADERS.cache]: detail.receipt === undefined ? publicCacheResult(result.cache) : result.cache,
      [RESPONSE_HEADERS.executionStopped]: String(result.executionStopped),
      ...receiptHeaders(detail.receipt),
      ...rateLimitHeaders(detail.rateLimit),
    },
    body: detail.rawOutput ? (result.output ?? '') : JSON.stringify(toSuccessBody(result)),
  };
}

/** The JSON body of a success. */
export function toSuccessBody(result: RunResult): SuccessBody {
  return {
    ...(result.output === undefined ? {} : { output: result.output }),
    ...(result.toolCalls === undefined || result.toolCalls.length === 0
      ? {}
      : {
          toolCalls: result.toolCalls.map(({ id, name, arguments: options }) => ({
            id,
            name,
            arguments: options,
          })),
        }),
    fromCache: isHit(result.cache),
    executionStopped: result.executionStopped,
  };
}

function isHit(cache: CacheResult): boolean {
  return cache === 'exact' || cache === 'semantic';
}

/** What every caller may see of the cache. */
export function publicCacheResult(cache: CacheResult): string {
  return isHit(cache) ? 'hit' : cache;
}

function receiptHeaders(receipt: Receipt | undefined): Record<string, string> {
  if (receipt === undefined) return {};
  return {
    ...(receipt.costMicrodollars === undefined
      ? {}
      : { [RESPONSE_HEADERS.cost]: String(receipt.costMicrodollars) }),
    [RESPONSE_HEADERS.tokensInput]: String(receipt.tokensInput),
    [RESPONSE_HEADERS.tokensOutput]: String(receipt.tokensOutput),
  };
}
