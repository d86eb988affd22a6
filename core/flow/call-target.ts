// Calls one model of one provider, with retries where they may help, and accounts for every attempt.
import type { ErrorCode } from '../contract/error-codes.ts';
import { ServiceError, toServiceError } from '../contract/service-error.ts';
import type { Random } from '../ports/platform.ts';
import { type ModelResult, ProviderFailure, type ProviderFailureKind } from '../ports/providers.ts';
import { isDeeperText, MAX_VALUE_DEPTH } from '../text/depth.ts';
import { describeMismatch } from './answer-mismatch.ts';
import { kindOf, toProviderError } from './failure.ts';
import type { ConfiguredProvider, ModelCallRecord, StepContext } from './step.ts';
import {
  attemptTarget,
  type CallState,
  CIRCUIT_OPEN,
  digestOnce,
  type TargetCall,
} from './target-attempt.ts';
import { createUsageTotals } from './usage-totals.ts';

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

/** Never throws: the outcome holds the error of a target without an answer. */
export async function callTarget(call: TargetCall, context: StepContext): Promise<TargetOutcome> {
  const { provider, request } = call;
  const { clock, costOf } = context.ports;
  const startedMs = clock.monotonicMs();
  const target = `${provider}/${request.model}`;
  const usage = createUsageTotals(request, (tokens) => costOf(provider, request.model, tokens));
  const inputDigest = digestOnce(request);
  const none = { failures: [], attempts: [], hasBegun: false };
  const state: CallState = { call, startedMs, context, target, usage, inputDigest, ...none };
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
      modelVersion: 'result' in ended ? versionOf(ended.result, context) : undefined,
      finish: 'result' in ended ? ended.result.finish : ended.finish,
      ...usage.totals(),
      latencyMs: clock.monotonicMs() - startedMs,
      ...('result' in ended ? cutOf(ended.result, state) : {}),
      ...(state.attempts.length < 2 ? {} : { attemptTimes: state.attempts }),
      ...(state.firstTextMs === undefined ? {} : { firstTextMs: state.firstTextMs }),
    },
  };
}

/** The name that a provider has for what answered; undefined where a guard finds something in it. */
function versionOf({ modelVersion }: ModelResult, { ports }: StepContext): string | undefined {
  const isFound = modelVersion !== undefined && ports.guards?.withholdsName(modelVersion) === true;
  return isFound ? undefined : modelVersion;
}

/** The limit of an answer that was cut where its caller asked for more, or for no end. */
function cutOf({ finish }: ModelResult, { call, context }: CallState): Pick<ModelCallRecord, 'cutAt'> {
  const { maxTokens } = call.request;
  const isOwn = context.conversation.parameters.maxTokens === maxTokens;
  return finish === 'length' && !isOwn ? { cutAt: maxTokens } : {};
}

/** Another model helps neither against the end of the time, nor a defect of ours, nor a schema that nobody can check. */
const ENDS_RUN: ReadonlySet<ErrorCode> = new Set([
  'deadline_exceeded',
  'internal',
  'invalid_input',
  'guard_blocked',
]);

interface TargetFailure {
  readonly finish: string;
  readonly rejection: ServiceError;
  readonly endsRun: boolean;
}

function toEnd(thrown: unknown, { call, context, target, limitError, hasBegun }: CallState): TargetFailure {
  if (thrown instanceof ProviderFailure) {
    const { ofCaller, request: sent } = call;
    const withholds = context.ports.guards?.withholds;
    const rejection = toProviderError(thrown, { target, sent, ofCaller, withholds });
    return { finish: kindOf(thrown, call.ofCaller), rejection, endsRun: hasBegun };
  }
  const rejection = toServiceError(thrown);
  const finish = rejection.cause === CIRCUIT_OPEN ? CIRCUIT_OPEN : rejection.code;
  const isOfLimits = limitError !== undefined && thrown === limitError;
  return { finish, rejection, endsRun: hasBegun || isOfLimits || ENDS_RUN.has(rejection.code) };
}

/** Repeats attempts until one answers or a retry is useless. Throws the error of the last one. */
async function attemptUntilDone(state: CallState): Promise<ModelResult> {
  const { call, context } = state;
  const { clock, random } = context.ports;
  const provider = findProvider(call.provider, context);
  if (call.request.passed !== undefined && provider.provider.passesOn !== true) {
    const reason = `the provider ${call.provider} cannot pass on requests for messages`;
    throw new ServiceError('configuration', { reason });
  }
  // A flow that was stored before its provider had another type never goes on without its guardrail.
  const isUnguarded = call.request.passed !== undefined || provider.provider.takesGuardrails !== true;
  if (call.request.guardrail !== undefined && isUnguarded) {
    const reason = `the provider ${call.provider} cannot apply the guardrail of the step`;
    throw new ServiceError('configuration', { reason });
  }
  for (let retries = 0; ; retries += 1) {
    try {
      const result = await attemptTarget(provider, state);
      await requireWellFormed(result, state, provider.provider.asksForJson === true);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof ProviderFailure) || state.hasBegun) throw thrown;
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
  checksJson: boolean,
): Promise<void> {
  const checkTime = (): void => {
    if (deadline.remainingMs() === 0) throw new ServiceError('deadline_exceeded');
  };
  const mismatch =
    describeDepth(result, call) ??
    (await describeMismatch(result, { ...call, checksJson }, ports.validateJson, checkTime));
  if (mismatch === undefined) return;
  failures.push(mismatch);
  throw new ProviderFailure('malformed_answer', { remedy: `the answer ${mismatch}` });
}

/** An answer that is to be JSON is walked through by guards and surfaces. */
function describeDepth({ text }: ModelResult, { request }: TargetCall): string | undefined {
  const isJson = request.json === true || request.schema !== undefined;
  return isJson && isDeeperText(text, MAX_VALUE_DEPTH) ? 'is nested too deep' : undefined;
}

function findProvider(name: string, { ports }: StepContext): ConfiguredProvider {
  const configured = ports.findProvider(name);
  if (configured !== undefined) return configured;
  throw new ServiceError('configuration', { reason: `the organization has no provider ${name}` });
}

/** Full jitter (aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter): 0 to 250 ms · 2ⁿ, at most 4 s. */
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;

/** Time that must remain after a wait: less is too short for an answer. */
const MIN_REMAINING_MS = 1_000;

/** Failures that another attempt may avoid: not an exhausted quota, bad settings or rejected input. */
const WORTH_RETRYING: ReadonlySet<ProviderFailureKind> = new Set([
  'timeout',
  'unavailable',
  'rate_limited',
  'malformed_answer',
  'truncated',
]);

/** The state after a failed attempt. */
export interface RetryState {
  /** Retries made so far. */
  readonly retries: number;
  readonly maxRetries: number;
  readonly remainingMs: number;
  /** True when another model can be called. */
  readonly hasFallback: boolean;
}

/**
 * Milliseconds to wait before the next attempt; undefined for none. With a fallback left, a model that was silent until its timeout or
 * asks for a wait of more than 4 s is not called again.
 */
export function planRetry(
  failure: ProviderFailure,
  state: RetryState,
  random: Pick<Random, 'fraction'>,
): number | undefined {
  if (state.retries >= state.maxRetries || !WORTH_RETRYING.has(failure.kind)) return undefined;
  if (state.hasFallback && failure.wasSilent) return undefined;
  const jitterMs = random.fraction() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** state.retries);
  const waitMs = Math.ceil(Math.max(jitterMs, failure.retryAfterMs ?? 0));
  if (state.hasFallback && waitMs > MAX_WAIT_MS) return undefined;
  return waitMs <= state.remainingMs - MIN_REMAINING_MS ? waitMs : undefined;
}
