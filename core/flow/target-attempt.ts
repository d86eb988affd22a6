// One attempt of a model call: behind its circuit, within a reservation, and accounted for however it ends.

import type { LoggedAttempt } from '../contract/log-entry.ts';
import { ServiceError, toServiceError } from '../contract/service-error.ts';
import type { Reservation, Spending } from '../limits/budget.ts';
import {
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  OPENS_CIRCUIT,
  ProviderFailure,
  type RequestMember,
} from '../ports/providers.ts';
import { digestOfParts } from '../text/digest.ts';
import { isOffered } from './answer-mismatch.ts';
import { type AttemptBounds, attemptModelCall, DEFAULT_TIMEOUT_MS } from './attempt.ts';
import { describeFailure } from './failure.ts';
import type { ConfiguredProvider, FlowPorts, ModelCallRecord, StepContext } from './step.ts';
import { type AttemptSink, streamModelCall } from './stream-attempt.ts';
import { estimateTokens, type UsageTotals } from './usage-totals.ts';

export interface TargetCall {
  readonly provider: string;
  readonly request: Omit<ModelRequest, 'signal'>;
  readonly ofCaller: ReadonlySet<RequestMember>;
  /** The step's timeout of one attempt. */
  readonly timeoutMs: number | undefined;
  readonly maxRetries: number;
  /** Models that can be called after this one. */
  readonly fallbacksLeft: number;
  /** Receives the answer while the model writes it; undefined when it is served whole. */
  readonly sink: AttemptSink | undefined;
}

/** The maximum that one attempt can spend, which limits reserve: by the bytes that are sent and `maxTokens` (usage-totals.ts). */
export function estimateAttempt(
  provider: string,
  request: Omit<ModelRequest, 'signal'>,
  { costOf }: Pick<FlowPorts, 'costOf'>,
): Spending {
  const most = estimateTokens(request);
  return {
    tokens: most.input + most.output,
    costMicrodollars: costOf(provider, request.model, most),
  };
}

/** The record of an attempt whose end is never known: it is charged its maximum. */
function plannedCall({ provider, request }: TargetCall, { ports }: StepContext): ModelCallRecord {
  const most = estimateTokens(request);
  return {
    provider,
    model: request.model,
    modelVersion: undefined,
    finish: 'interrupted',
    tokensInput: most.input,
    tokensOutput: most.output,
    costMicrodollars: ports.costOf(provider, request.model, most),
    estimated: true,
    attempts: 1,
    latencyMs: 0,
  };
}

export const CIRCUIT_OPEN = 'circuit_open';

/** A call under way, over its attempts. */
export interface CallState {
  readonly call: TargetCall;
  /** By the monotonic clock. */
  readonly startedMs: number;
  readonly context: StepContext;
  readonly target: string;
  readonly usage: UsageTotals;
  readonly failures: string[];
  readonly attempts: LoggedAttempt[];
  /** The name of the input to the circuit. */
  readonly inputDigest: () => string;
  limitError?: unknown;
  /** True once the caller has a part of the answer, which cannot be taken back: no other attempt is made. */
  hasBegun: boolean;
  /** Time of the first piece of the answer, in milliseconds since the call began; for the log. */
  firstTextMs?: number;
}

/** One attempt. Throws `ProviderFailure`, and `ServiceError` where nothing was sent. */
export async function attemptTarget(configured: ConfiguredProvider, state: CallState): Promise<ModelResult> {
  const { call, context, target, usage, failures } = state;
  const { clock, breakers } = context.ports;
  context.deadline.signal.throwIfAborted();
  rejectWhileOpen(breakers.retryAfterMs(target, state.inputDigest), state);
  const reservation = await reserve(state);
  // Reserving used up the time: nothing was sent, so nothing is charged.
  if (context.deadline.signal.aborted) reservation.settle(NOTHING_SENT);
  context.deadline.signal.throwIfAborted();
  announce(reservation, state);
  const bounds = { timeoutMs: timeoutOf(call, configured, context), deadline: context.deadline, clock };
  const atMs = clock.monotonicMs() - state.startedMs;
  try {
    const omitted = (await configured.provider.omissionsOf?.(call.request)) ?? [];
    if (omitted.length > 0) context.ports.leaveOut?.(omitted, call.ofCaller);
    const result = await ask(configured.provider, bounds, state);
    noteAttempt(state, atMs);
    breakers.succeeded(target);
    reservation.settle(usage.answered(result));
    return result;
  } catch (thrown) {
    noteAttempt(state, atMs, thrown instanceof ProviderFailure ? thrown.kind : toServiceError(thrown).code);
    // Nothing where the provider has done no work, and the maximum where it may have.
    reservation.settle(usage.failed(thrown));
    if (thrown instanceof ProviderFailure) {
      const { ofCaller, request: sent } = call;
      const withholds = context.ports.guards?.withholds;
      failures.push(describeFailure(thrown, { sent, ofCaller, withholds }));
      noteHealth(thrown, state);
    }
    throw thrown;
  }
}

/** A timeout says nothing about the provider. */
function noteHealth(failure: ProviderFailure, { target, context, inputDigest }: CallState): void {
  const { breakers } = context.ports;
  if (OPENS_CIRCUIT.has(failure.kind) && !failure.isOfModel) {
    breakers.failed(target, mayBeOfInput(failure) ? inputDigest : undefined);
  } else if (failure.kind !== 'timeout') breakers.succeeded(target);
}

/** True where the provider was reached and broke down: some answer 5xx to one kind of input, and to nothing else. */
function mayBeOfInput({ kind, status }: ProviderFailure): boolean {
  return status !== undefined && kind !== 'rate_limited' && kind !== 'quota_exhausted';
}

export function digestOnce({ system, messages, tools, schema, json }: TargetCall['request']): () => string {
  let digest: string | undefined;
  return () => {
    digest ??= digestOfParts(['call 1', JSON.stringify([system, messages, tools, schema, json])]);
    return digest;
  };
}

/** Streams when there is a sink and the provider can. */
async function ask(provider: ModelProvider, bounds: AttemptBounds, state: CallState): Promise<ModelResult> {
  const { sink } = state.call;
  const { nextTraceparent } = state.context.ports;
  const traced = nextTraceparent === undefined ? {} : { traceparent: nextTraceparent() };
  const request = { ...state.call.request, ...traced };
  if (sink === undefined || provider.stream === undefined) {
    return attemptModelCall(provider, request, bounds);
  }
  const stream = provider.stream.bind(provider);
  return streamModelCall(stream, request, bounds, untilUnofferedTool(sink, state));
}

/**
 * Passes an answer on up to the first call of a tool that is none of the request, and notes that the caller has a part of it. The provider
 * is read to its end, for what it reports.
 */
function untilUnofferedTool(sink: AttemptSink, state: CallState): AttemptSink {
  let isMalformed = false;
  const pass = async (send: () => Promise<void> | undefined): Promise<void> => {
    if (isMalformed) return;
    state.hasBegun = true;
    state.firstTextMs ??= state.context.ports.clock.monotonicMs() - state.startedMs;
    await send();
  };
  return {
    ...sink,
    text: (text) => pass(() => sink.text(text)),
    toolCall(call) {
      isMalformed ||= !isOffered(call.name, state.call.request);
      return pass(() => sink.toolCall(call));
    },
    thought: (thought) => pass(() => sink.thought?.(thought)),
    passed: (event) => pass(() => sink.passed?.(event)),
  };
}

function noteAttempt({ attempts, startedMs, context }: CallState, atMs: number, failure?: string): void {
  const latencyMs = context.ports.clock.monotonicMs() - startedMs - atMs;
  attempts.push({ atMs, latencyMs, ...(failure === undefined ? {} : { failure }) });
}

/** Nothing is sent that could not be announced. */
function announce(reservation: Reservation, { call, context }: CallState): void {
  try {
    context.ports.onAttempt?.(plannedCall(call, context));
  } catch (thrown) {
    reservation.settle(NOTHING_SENT);
    throw thrown;
  }
}

const NOTHING_SENT: Spending = { tokens: 0, costMicrodollars: 0 };

/** Reserves the maximum that the attempt can use. */
async function reserve(state: CallState): Promise<Reservation> {
  const { call, context } = state;
  try {
    return await context.ports.reserveAttempt(estimateAttempt(call.provider, call.request, context.ports));
  } catch (thrown) {
    state.limitError = thrown;
    throw thrown;
  }
}

/** With fallbacks left, each model gets an equal share of the remaining time: a silent one must leave time for the next. */
function timeoutOf(call: TargetCall, configured: ConfiguredProvider, { deadline }: StepContext): number {
  const longestMs = call.timeoutMs ?? configured.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  if (call.fallbacksLeft === 0) return longestMs;
  return Math.max(1, Math.min(longestMs, Math.floor(deadline.remainingMs() / (call.fallbacksLeft + 1))));
}

function rejectWhileOpen(waitMs: number, { target, failures }: CallState): void {
  if (waitMs === 0) return;
  failures.push('circuit open');
  throw new ServiceError('upstream_unavailable', {
    reason: `${target}: circuit open`,
    retryAfterMs: waitMs,
    cause: CIRCUIT_OPEN,
  });
}
