// Calls one model of one provider, with retries where they may help, and accounts for every attempt.

import type { ErrorCode } from '../contract/error-codes.ts';
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
import { describeMismatch, untilUnofferedTool } from './answer-mismatch.ts';
import { type AttemptBounds, attemptModelCall, DEFAULT_TIMEOUT_MS } from './attempt.ts';
import { describeFailure, kindOf, toProviderError } from './failure.ts';
import { planRetry } from './retry.ts';
import type { ConfiguredProvider, FlowPorts, ModelCallRecord, StepContext } from './step.ts';
import { type AnswerSink, streamModelCall } from './stream-attempt.ts';
import { createUsageTotals, estimateTokens, type UsageTotals } from './usage-totals.ts';

interface TargetCall {
  readonly provider: string;
  readonly request: Omit<ModelRequest, 'signal'>;
  /** Members of the request that the caller has set. */
  readonly ofCaller: ReadonlySet<RequestMember>;
  /** The step's timeout of one attempt. */
  readonly timeoutMs: number | undefined;
  readonly maxRetries: number;
  /** Models that can be called after this one. */
  readonly fallbacksLeft: number;
  /** Receives the answer while the model writes it; undefined when it is served whole. */
  readonly sink: AnswerSink | undefined;
}

export type TargetOutcome = {
  /** `PROVIDER/MODEL`. */
  readonly target: string;
  /** The failures of attempts, in order, for the trace. */
  readonly failures: readonly string[];
  readonly record: ModelCallRecord;
} & (
  | { readonly result: ModelResult }
  | {
      readonly rejection: ServiceError;
      /** True when no other model may be called: the deadline has passed, a limit has no room, the fault is ours, or the caller has a part of the answer. */
      readonly endsRun: boolean;
    }
);

/** The maximum that one attempt can spend. */
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

/** The finish of a call that an open circuit rejected. */
const CIRCUIT_OPEN = 'circuit_open';

interface CallState {
  readonly call: TargetCall;
  /** By the monotonic clock. */
  readonly startedMs: number;
  readonly context: StepContext;
  readonly target: string;
  readonly usage: UsageTotals;
  readonly failures: string[];
  readonly attempts: LoggedAttempt[];
  /** The error of a limit without room. */
  limitError?: unknown;
  /** Time of the first piece of the answer, in milliseconds since the call began. */
  firstTextMs?: number;
}

/** Never throws: the outcome holds the error of a target without an answer. */
export async function callTarget(call: TargetCall, context: StepContext): Promise<TargetOutcome> {
  const { provider, request } = call;
  const { clock, costOf } = context.ports;
  const startedMs = clock.monotonicMs();
  const target = `${provider}/${request.model}`;
  const usage = createUsageTotals(request, (tokens) => costOf(provider, request.model, tokens));
  const state: CallState = { call, startedMs, context, target, usage, failures: [], attempts: [] };
  const ended = await attemptUntilDone(state).then(
    (result) => ({ result }),
    (thrown: unknown) => toEnd(thrown, state),
  );
  return {
    target,
    failures: state.failures,
    ...('result' in ended
      ? { result: ended.result }
      : { rejection: ended.rejection, endsRun: ended.endsRun }),
    record: {
      provider,
      model: request.model,
      modelVersion: 'result' in ended ? ended.result.modelVersion : undefined,
      finish: 'result' in ended ? ended.result.finish : ended.finish,
      ...usage.totals(),
      latencyMs: clock.monotonicMs() - startedMs,
      ...(state.attempts.length < 2 ? {} : { attemptTimes: state.attempts }),
      ...(state.firstTextMs === undefined ? {} : { firstTextMs: state.firstTextMs }),
    },
  };
}

/** Another model helps neither against the end of the time, nor a defect of ours, nor a schema that nobody can check. */
const ENDS_RUN: ReadonlySet<ErrorCode> = new Set(['deadline_exceeded', 'internal', 'invalid_input']);

interface TargetFailure {
  readonly finish: string;
  readonly rejection: ServiceError;
  readonly endsRun: boolean;
}

function toEnd(thrown: unknown, { call, target, limitError, firstTextMs }: CallState): TargetFailure {
  if (thrown instanceof ProviderFailure) {
    const rejection = toProviderError(thrown, { target, sent: call.request, ofCaller: call.ofCaller });
    return { finish: kindOf(thrown, call.ofCaller), rejection, endsRun: firstTextMs !== undefined };
  }
  const rejection = toServiceError(thrown);
  const finish = rejection.cause === CIRCUIT_OPEN ? CIRCUIT_OPEN : rejection.code;
  const isFinal = ENDS_RUN.has(rejection.code);
  return { finish, rejection, endsRun: isFinal || (limitError !== undefined && thrown === limitError) };
}

/** Repeats attempts until one answers or a retry is useless. Throws the error of the last one. */
async function attemptUntilDone(state: CallState): Promise<ModelResult> {
  const { call, context } = state;
  const { clock, random } = context.ports;
  const provider = findProvider(call.provider, context);
  for (let retries = 0; ; retries += 1) {
    try {
      const result = await attempt(provider, state);
      await requireWellFormed(result, state);
      return result;
    } catch (thrown) {
      // A part of the answer that the caller has cannot be taken back.
      if (!(thrown instanceof ProviderFailure) || state.firstTextMs !== undefined) throw thrown;
      const { maxRetries, fallbacksLeft } = call;
      const remainingMs = context.deadline.remainingMs();
      const hasFallback = fallbacksLeft > 0;
      const waitMs = planRetry(thrown, { retries, maxRetries, remainingMs, hasFallback }, random);
      if (waitMs === undefined) throw thrown;
      await clock.sleep(waitMs, context.deadline.signal);
    }
  }
}

/** Throws `ProviderFailure` `malformed_answer`. What the model made is paid for by now, and says nothing about its provider's health. */
async function requireWellFormed(
  result: ModelResult,
  { call, context: { ports, deadline }, failures }: CallState,
): Promise<void> {
  const checkTime = (): void => {
    if (deadline.remainingMs() === 0) throw new ServiceError('deadline_exceeded');
  };
  const mismatch = await describeMismatch(result, call, ports.validateJson, checkTime);
  if (mismatch === undefined) return;
  failures.push(mismatch);
  throw new ProviderFailure('malformed_answer', { remedy: `the answer ${mismatch}` });
}

async function attempt(configured: ConfiguredProvider, state: CallState): Promise<ModelResult> {
  const { call, context, target, usage, failures } = state;
  const { clock, breakers } = context.ports;
  context.deadline.signal.throwIfAborted();
  rejectWhileOpen(breakers.retryAfterMs(target), state);
  const reservation = await reserve(state);
  // Reserving used up the time: nothing was sent, so nothing is charged.
  if (context.deadline.signal.aborted) reservation.settle(NOTHING_SENT);
  context.deadline.signal.throwIfAborted();
  announce(reservation, state);
  const bounds = { timeoutMs: timeoutOf(call, configured, context), deadline: context.deadline, clock };
  const atMs = clock.monotonicMs() - state.startedMs;
  try {
    const result = await ask(configured.provider, bounds, state);
    noteAttempt(state, atMs);
    breakers.succeeded(target);
    reservation.settle(usage.answered(result));
    return result;
  } catch (thrown) {
    noteAttempt(state, atMs, thrown instanceof ProviderFailure ? thrown.kind : toServiceError(thrown).code);
    reservation.settle(usage.failed(thrown));
    if (thrown instanceof ProviderFailure) {
      failures.push(describeFailure(thrown, call.request, call.ofCaller));
      if (OPENS_CIRCUIT.has(thrown.kind)) breakers.failed(target);
      // A timeout says nothing about the provider.
      else if (thrown.kind !== 'timeout') breakers.succeeded(target);
    }
    throw thrown;
  }
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
  const noted: AnswerSink = {
    text(text) {
      noteFirst(state);
      return sink.text(text);
    },
    toolCall(toolCall) {
      noteFirst(state);
      return sink.toolCall(toolCall);
    },
  };
  return streamModelCall(stream, request, bounds, untilUnofferedTool(noted, request));
}

function noteAttempt({ attempts, startedMs, context }: CallState, atMs: number, failure?: string): void {
  const latencyMs = context.ports.clock.monotonicMs() - startedMs - atMs;
  attempts.push({ atMs, latencyMs, ...(failure === undefined ? {} : { failure }) });
}

function noteFirst(state: CallState): void {
  state.firstTextMs ??= state.context.ports.clock.monotonicMs() - state.startedMs;
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
    return await context.ports.reserve(estimateAttempt(call.provider, call.request, context.ports));
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

function findProvider(name: string, { ports }: StepContext): ConfiguredProvider {
  const configured = ports.findProvider(name);
  if (configured !== undefined) return configured;
  throw new ServiceError('configuration', { reason: `the organization has no provider ${name}` });
}
