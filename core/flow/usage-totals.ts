// Tokens and cost of a model call over its attempts: as reported by the provider, or the maximum where it reported none.
import type { ErrorCode } from '../contract/error-codes.ts';
import type { LoggedTokenParts } from '../contract/log-entry.ts';
import { ServiceError } from '../contract/service-error.ts';
import { documentLengthsOf, imagesOf, longestCacheHint, textBytesOf } from '../conversation/size.ts';
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

interface Totals extends LoggedTokenParts {
  readonly tokensInput: number;
  readonly tokensOutput: number;
  /** Null after an attempt that used tokens of a model without a price. */
  readonly costMicrodollars: number | null;
  /** True when the usage of an attempt had to be estimated. */
  readonly estimated: boolean;
  readonly attempts: number;
}

/** Adds up the attempts of one model call, and returns the spending of each. */
export interface UsageTotals {
  answered(result: ModelResult): Spending;
  failed(thrown: unknown): Spending;
  totals(): Totals;
}

/** Totals of 0; every attempt is added once, when it has ended. */
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
      // An estimate says nothing of them, and usage of which a part is unknown says what it says.
      ...addParts(totals, estimated && usage.isPartial !== true ? {} : partsOf(usage)),
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
      return add(counted, counted.estimated);
    },
    failed: (thrown) => {
      const counted = countFailed(request, thrown);
      return add(counted, counted.estimated);
    },
    totals: () => totals,
  };
}

/** Tokens of a message beside its bytes, for its role and its ends. */
export const TOKENS_PER_MESSAGE = 64;

/** The reservation of an image: above the vendors' figure for the largest one at the highest detail. */
export const MAX_TOKENS_PER_IMAGE = 6_000;

/** Beside the bytes of a document as it is sent: pages are read as images too. What takes more is booked in full. */
export const MAX_TOKENS_PER_DOCUMENT = 24_000;

/** A tool that the vendor describes: above the vendor's figure for the longest one. */
export const TOKENS_PER_VENDOR_TOOL = 2_000;

/** The bytes of the instruction that asks for JSON where no member of an API does, and its message. */
const JSON_INSTRUCTION_TOKENS = 100 + TOKENS_PER_MESSAGE;

/** The members of a request that decide on its tokens. */
type SizedRequest = Pick<
  ModelRequest,
  'system' | 'messages' | 'tools' | 'schema' | 'json' | 'maxTokens' | 'passed'
>;

/** The maximum that an attempt can use: a token is at least one byte, and all of it may be written to the prompt cache that is asked for. */
export function estimateTokens(request: SizedRequest): TokenUsage {
  const { system, messages, tools, schema, json, passed } = request;
  const texts = [...system.map(({ text }) => utf8Bytes(text)), ...messages.map(textBytesOf)];
  const images = sum(messages.map(imagesOf));
  const documents = messages.flatMap(documentLengthsOf);
  const input =
    sum(texts) +
    texts.length * TOKENS_PER_MESSAGE +
    images * MAX_TOKENS_PER_IMAGE +
    sum(documents) +
    documents.length * MAX_TOKENS_PER_DOCUMENT +
    (tools === undefined ? 0 : utf8Bytes(JSON.stringify(tools)) + tools.length * TOKENS_PER_MESSAGE) +
    (passed?.vendorTools ?? 0) * TOKENS_PER_VENDOR_TOOL +
    (json === true ? JSON_INSTRUCTION_TOKENS : 0) +
    (schema === undefined ? 0 : utf8Bytes(JSON.stringify(schema)) + TOKENS_PER_MESSAGE);
  const ttl = passed === undefined ? longestCacheHint(request) : passed.cache;
  const written = ttl === undefined ? {} : ttl === '1h' ? { cacheWrite1h: input } : { cacheWrite: input };
  return { input, output: request.maxTokens, ...written };
}

/** Tokens used, and whether they had to be estimated. */
interface CountedTokens extends TokenUsage {
  readonly estimated: boolean;
}

function countAnswered(request: SizedRequest, usage: TokenUsage | undefined): CountedTokens {
  return {
    ...(usage ?? estimateTokens(request)),
    estimated: usage === undefined || usage.isPartial === true,
  };
}

/**
 * Counts an attempt that failed. A provider that was not reached or rejected the request did no work, and our own errors come before a
 * request is sent. A provider that fell silent, broke down, or answered unreadably may have worked and charge for it: the maximum is
 * counted.
 */
function countFailed(request: SizedRequest, thrown: unknown): CountedTokens {
  if (!mayHaveWorked(thrown)) {
    // An attempt of several calls may have used something before the one that failed.
    const usage = thrown instanceof ProviderFailure ? thrown.usage : undefined;
    return { input: usage?.input ?? 0, output: usage?.output ?? 0, estimated: usage !== undefined };
  }
  if (thrown instanceof ProviderFailure && thrown.isOfModel && thrown.usage !== undefined) {
    return { ...thrown.usage, estimated: false };
  }
  const most = estimateTokens(request);
  // Usage reported before a stream broke off may exceed the maximum; it is no reason to count less.
  const failure = thrown instanceof ServiceError ? thrown.cause : thrown;
  const reported = failure instanceof ProviderFailure ? failure.usage : undefined;
  return {
    ...most,
    input: Math.max(most.input, reported?.input ?? 0),
    output: Math.max(most.output, reported?.output ?? 0),
    estimated: true,
  };
}

/** Failures of an attempt that the provider may have begun to work on. */
const MAY_FOLLOW_WORK: ReadonlySet<string> = new Set<ProviderFailureKind>([
  'timeout',
  'malformed_answer',
  'truncated',
]);

/** Errors of ours that end a call whose model may be at work. */
const WORKED: ReadonlySet<string> = new Set<ErrorCode>(['deadline_exceeded', 'guard_blocked']);

function mayHaveWorked(thrown: unknown): boolean {
  if (thrown instanceof ServiceError) return WORKED.has(thrown.code);
  if (!(thrown instanceof ProviderFailure)) return true;
  if (MAY_FOLLOW_WORK.has(thrown.kind)) return true;
  return thrown.status !== undefined && mayFollowWork(thrown.status);
}

/** Statuses after which work may have been done; 503 and 529 reject a request for lack of capacity. */
function mayFollowWork(status: number): boolean {
  if (status === 408 || status === 424) return true;
  return status >= 500 && status !== 503 && status !== 529;
}

/** Within the whole, whatever a provider reports; cut in the order in which the cost counts them. Parts of 0 are absent. */
export function partsOf(usage: TokenUsage): LoggedTokenParts {
  const hour = Math.min(usage.cacheWrite1h ?? 0, usage.input);
  const write = Math.min(usage.cacheWrite ?? 0, usage.input - hour);
  const read = Math.min(usage.cachedInput ?? 0, usage.input - hour - write);
  const reasoning = Math.min(usage.reasoning ?? 0, usage.output);
  return toParts(read, write, hour, reasoning);
}

/** The parts of two attempts together. */
export function addParts(one: LoggedTokenParts, other: LoggedTokenParts): LoggedTokenParts {
  return toParts(
    (one.tokensCacheRead ?? 0) + (other.tokensCacheRead ?? 0),
    (one.tokensCacheWrite ?? 0) + (other.tokensCacheWrite ?? 0),
    (one.tokensCacheWrite1h ?? 0) + (other.tokensCacheWrite1h ?? 0),
    (one.tokensReasoning ?? 0) + (other.tokensReasoning ?? 0),
  );
}

function toParts(read: number, write: number, hour: number, reasoning: number): LoggedTokenParts {
  return {
    ...(read === 0 ? {} : { tokensCacheRead: read }),
    ...(write === 0 ? {} : { tokensCacheWrite: write }),
    ...(hour === 0 ? {} : { tokensCacheWrite1h: hour }),
    ...(reasoning === 0 ? {} : { tokensReasoning: reasoning }),
  };
}
