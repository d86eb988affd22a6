// Tokens and cost of a model call over its attempts: what the provider reported, or the most it can have used where that is unknown.

import { ServiceError } from '../contract/service-error.ts';
import { imagesOf, textBytesOf } from '../conversation/size.ts';
import type { Spending } from '../limits/budget.ts';
import {
  type ModelRequest,
  type ModelResult,
  ProviderFailure,
  type ProviderFailureKind,
  type TokenUsage,
} from '../ports/providers.ts';
import { sum } from '../text/numbers.ts';
import { utf8Bytes } from '../text/utf8.ts';

/** The price of some usage in integer microdollars, rounded up; null where the model has no price. */
type CostOfUsage = (usage: TokenUsage) => number | null;

/** What the attempts so far came to. */
interface Totals {
  readonly tokensInput: number;
  readonly tokensOutput: number;
  /** Null as soon as one attempt used tokens of a model without a price. */
  readonly costMicrodollars: number | null;
  /** True when the usage of an attempt had to be estimated. */
  readonly estimated: boolean;
  readonly attempts: number;
}

/** Adds up the attempts of one model call, and gives what each of them spent. */
export interface UsageTotals {
  answered(result: ModelResult): Spending;
  failed(thrown: unknown): Spending;
  totals(): Totals;
}

/** Totals of nothing yet; every attempt is added once, when it has ended. */
export function createUsageTotals(request: SizedRequest, costOf: CostOfUsage): UsageTotals {
  let totals: Totals = {
    tokensInput: 0,
    tokensOutput: 0,
    costMicrodollars: 0,
    estimated: false,
    attempts: 0,
  };
  function add(usage: TokenUsage, estimated: boolean): Spending {
    const cost = usage.input + usage.output === 0 ? 0 : costOf(usage);
    const before = totals.costMicrodollars;
    totals = {
      tokensInput: totals.tokensInput + usage.input,
      tokensOutput: totals.tokensOutput + usage.output,
      costMicrodollars: before === null || cost === null ? null : before + cost,
      estimated: totals.estimated || estimated,
      attempts: totals.attempts + 1,
    };
    return { tokens: usage.input + usage.output, costMicrodollars: cost };
  }
  return {
    answered: ({ usage }) => {
      const counted = countAnswered(request, usage);
      return add(usage ?? counted, counted.estimated);
    },
    failed: (thrown) => {
      const counted = countFailed(request, thrown);
      return add(counted, counted.estimated);
    },
    totals: () => totals,
  };
}

/** Beside its bytes, each message costs a provider some tokens for its role and its ends. */
export const TOKENS_PER_MESSAGE = 64;

/** What an image is reserved with: above what the vendors state for the largest one at the highest detail. */
export const MAX_TOKENS_PER_IMAGE = 6_000;

/** What of a request decides on its tokens. */
type SizedRequest = Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'schema' | 'maxTokens'>;

/** The most tokens that an attempt can use: a token is at least one byte. */
export function estimateTokens(request: SizedRequest): TokenUsage {
  const { system, messages, tools, schema } = request;
  const texts = [...(system === undefined ? [] : [utf8Bytes(system)]), ...messages.map(textBytesOf)];
  const images = sum(messages.map(imagesOf));
  const input =
    sum(texts) +
    texts.length * TOKENS_PER_MESSAGE +
    images * MAX_TOKENS_PER_IMAGE +
    (tools === undefined ? 0 : utf8Bytes(JSON.stringify(tools)) + tools.length * TOKENS_PER_MESSAGE) +
    (schema === undefined ? 0 : utf8Bytes(JSON.stringify(schema)) + TOKENS_PER_MESSAGE);
  return { input, output: request.maxTokens };
}

/** Tokens used, and whether they had to be estimated. */
interface CountedTokens {
  readonly input: number;
  readonly output: number;
  readonly estimated: boolean;
}

/** Counts an attempt that answered. */
function countAnswered(request: SizedRequest, usage: TokenUsage | undefined): CountedTokens {
  const { input, output } = usage ?? estimateTokens(request);
  return { input, output, estimated: usage === undefined };
}

/**
 * Counts an attempt that failed. A provider that could not be reached or refused did no work, and a refusal of ours came before
 * anything was sent. One that fell silent, broke down, or whose answer could not be read may have worked and charge for it, so the
 * most is counted.
 */
function countFailed(request: SizedRequest, thrown: unknown): CountedTokens {
  if (!mayHaveWorked(thrown)) return { input: 0, output: 0, estimated: false };
  const most = estimateTokens(request);
  // What a provider had reported when its stream broke off may be more than anyone could expect, never a reason to count less.
  const failure = thrown instanceof ServiceError ? thrown.cause : thrown;
  const reported = failure instanceof ProviderFailure ? failure.usage : undefined;
  return {
    input: Math.max(most.input, reported?.input ?? 0),
    output: Math.max(most.output, reported?.output ?? 0),
    estimated: true,
  };
}

/** Failures of an attempt that the provider may have begun to work on. */
const BEGUN: ReadonlySet<string> = new Set<ProviderFailureKind>(['timeout', 'malformed_answer', 'truncated']);

function mayHaveWorked(thrown: unknown): boolean {
  if (thrown instanceof ServiceError) return thrown.code === 'deadline_exceeded';
  if (!(thrown instanceof ProviderFailure)) return true;
  if (BEGUN.has(thrown.kind)) return true;
  return thrown.status !== undefined && mayFollowWork(thrown.status);
}

/** Statuses of a request that was begun; 503 and 529 refuse it for want of capacity, all others for what it is. */
function mayFollowWork(status: number): boolean {
  if (status === 408 || status === 424) return true;
  return status >= 500 && status !== 503 && status !== 529;
}
