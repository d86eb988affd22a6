// Turns an input into a vector within a deadline, and accounts for its cost.

import { within } from '../async/race.ts';
import type { LoggedModelCall } from '../contract/log-entry.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { CircuitBreakers } from '../flow/circuit-breaker.ts';
import type { Budget, Spending } from '../limits/budget.ts';
import {
  type EmbeddingProvider,
  type Embeddings,
  OPENS_CIRCUIT,
  ProviderFailure,
  type TokenUsage,
} from '../ports/providers.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { Clock } from '../time/clock.ts';

/** The vector index has so many, which can never change. */
export const DIMENSIONS = 512;
/** A slower lookup is worth less than the run that it would save. */
const EMBEDDING_MS = 300;
/** As for a model call: a token is at least one byte, and a message costs some tokens beside its bytes. */
const TOKENS_PER_MESSAGE = 64;

export interface EmbedPorts {
  readonly clock: Clock;
  readonly breakers: CircuitBreakers;
  /** A provider by its name within the organization; undefined unless it makes embeddings. */
  findEmbedding(name: string): EmbeddingProvider | undefined;
  /** Integer microdollars, rounded up; null when the model has no price. */
  costOf(provider: string, model: string, usage: TokenUsage): number | null;
  /** Reserves tokens and cost in the limits of the request. Rejects when a limit has no room. */
  reserve: Budget['reserve'];
  /** Called before the model is asked, with the maximum that it can use. Throws where it must not be asked. */
  readonly onAttempt?: ((attempt: LoggedModelCall) => void) | undefined;
}

/** `vector` is undefined without one in time, `call` when no model was called. */
interface EmbeddedInput {
  readonly vector: readonly number[] | undefined;
  readonly call: LoggedModelCall | undefined;
}

/** Never rejects. Makes one attempt: a second one would be late. */
export async function embed(
  input: string,
  { provider, model }: { readonly provider: string; readonly model: string },
  ports: EmbedPorts,
): Promise<EmbeddedInput> {
  // A circuit of its own: a model that embeds too late may answer calls in time, which must not be rejected for it.
  const circuit = `embeddings of ${provider}/${model}`;
  const found = ports.findEmbedding(provider);
  if (found === undefined || ports.breakers.retryAfterMs(circuit) > 0) return NOT_CALLED;
  const spendingOf = (tokens: number): Spending => ({
    tokens,
    costMicrodollars: tokens === 0 ? 0 : ports.costOf(provider, model, { input: tokens, output: 0 }),
  });
  const most = estimateTokens(input);
  const reservation = await ports.reserve(spendingOf(most)).catch(() => undefined);
  if (reservation === undefined) return NOT_CALLED;
  const target = { provider, model, modelVersion: undefined, tokensOutput: 0, attempts: 1 };
  try {
    const planned = { finish: 'interrupted', tokensInput: most, estimated: true, latencyMs: 0 };
    ports.onAttempt?.({ ...target, ...planned, costMicrodollars: spendingOf(most).costMicrodollars });
  } catch {
    reservation.settle(spendingOf(0));
    return NOT_CALLED;
  }
  const startedMs = ports.clock.monotonicMs();
  const made = await within(ports.clock, EMBEDDING_MS, (signal) =>
    found.embed({ model, inputs: [input], dimensions: DIMENSIONS, signal }),
  ).then(rejectUnusable, (thrown: unknown) => ({ failed: kindOf(thrown) }));
  const usage = usageOf(made, input);
  const failed = 'failed' in made ? made.failed : undefined;
  // A late embedding delays the run, which continues without it; an open circuit costs no answer.
  if (failed !== undefined && (failed === 'timeout' || OPENS_CIRCUIT.has(failed)))
    ports.breakers.failed(circuit);
  else ports.breakers.succeeded(circuit);
  const spent = spendingOf(usage.tokens);
  reservation.settle(spent);
  return {
    vector: 'failed' in made ? undefined : made.vector,
    call: {
      ...target,
      finish: failed ?? 'embedding',
      tokensInput: usage.tokens,
      costMicrodollars: spent.costMicrodollars,
      estimated: usage.estimated,
      latencyMs: ports.clock.monotonicMs() - startedMs,
    },
  };
}

const NOT_CALLED: EmbeddedInput = { vector: undefined, call: undefined };

function estimateTokens(input: string): number {
  return utf8Bytes(input) + TOKENS_PER_MESSAGE;
}

/** The vector of the input, and its usage. */
interface Embedding {
  readonly vector: readonly number[];
  readonly tokensInput: number | undefined;
}

type EmbeddingOutcome = Embedding | { readonly failed: string };

/** A vector of another length cannot be stored, and one of zeros has no direction. */
function rejectUnusable({ vectors, tokensInput }: Embeddings): EmbeddingOutcome {
  const [vector] = vectors;
  const usable =
    Array.isArray(vector) &&
    vector.length === DIMENSIONS &&
    vector.every((value) => Number.isFinite(value)) &&
    vector.some((value) => value !== 0);
  return usable ? { vector, tokensInput } : { failed: 'malformed_answer' };
}

function kindOf(thrown: unknown): string {
  if (thrown instanceof ProviderFailure) return thrown.kind;
  return thrown instanceof ServiceError ? thrown.code : 'timeout';
}

/** A provider that timed out or answered unreadably may have worked: then the maximum is counted. */
function usageOf(
  made: EmbeddingOutcome,
  input: string,
): { readonly tokens: number; readonly estimated: boolean } {
  const most = estimateTokens(input);
  if ('failed' in made) {
    const mayHaveWorked = made.failed === 'timeout' || made.failed === 'malformed_answer';
    return { tokens: mayHaveWorked ? most : 0, estimated: mayHaveWorked };
  }
  const { tokensInput } = made;
  const isCount = Number.isSafeInteger(tokensInput) && (tokensInput ?? -1) >= 0;
  return isCount ? { tokens: tokensInput ?? most, estimated: false } : { tokens: most, estimated: true };
}
