// Tokens of an attempt: what the provider reported, or the most it can have used where that is unknown.
import { utf8Bytes } from '../contract/invocation.ts';
import { ServiceError } from '../contract/service-error.ts';
import { type ModelRequest, ProviderFailure, type TokenUsage } from '../ports/providers.ts';

/** Beside its bytes, each message costs a provider some tokens for its role and its ends. */
const TOKENS_PER_MESSAGE = 64;

/** What of a request decides on its tokens. */
export type SizedRequest = Pick<ModelRequest, 'system' | 'prompt' | 'maxTokens'>;

/** The most tokens that an attempt can use: a token is at least one byte. */
export function mostTokens(request: SizedRequest): TokenUsage {
  const messages = request.system === undefined ? [request.prompt] : [request.system, request.prompt];
  const input = messages.reduce((sum, message) => sum + utf8Bytes(message) + TOKENS_PER_MESSAGE, 0);
  return { input, output: request.maxTokens };
}

/** Tokens used, and whether they had to be estimated. */
export interface CountedTokens {
  readonly input: number;
  readonly output: number;
  readonly estimated: boolean;
}

/** Counts an attempt that answered. */
export function countAnswered(request: SizedRequest, usage: TokenUsage | undefined): CountedTokens {
  const { input, output } = usage ?? mostTokens(request);
  return { input, output, estimated: usage === undefined };
}

/**
 * Counts an attempt that failed. A provider that could not be reached or refused did no work, and a refusal of ours came before
 * anything was sent. One that fell silent, broke down, or whose answer could not be read may have worked and charge for it, so the
 * most is counted.
 */
export function countFailed(request: SizedRequest, thrown: unknown): CountedTokens {
  return mayHaveWorked(thrown)
    ? { ...mostTokens(request), estimated: true }
    : { input: 0, output: 0, estimated: false };
}

function mayHaveWorked(thrown: unknown): boolean {
  if (thrown instanceof ServiceError) return thrown.code === 'deadline_exceeded';
  if (!(thrown instanceof ProviderFailure)) return true;
  if (thrown.kind === 'timeout' || thrown.kind === 'malformed_answer') return true;
  return thrown.status !== undefined && mayFollowWork(thrown.status);
}

/** Statuses of a request that was begun; 503 and 529 refuse it for want of capacity, all others for what it is. */
function mayFollowWork(status: number): boolean {
  if (status === 408 || status === 424) return true;
  return status >= 500 && status !== 503 && status !== 529;
}
