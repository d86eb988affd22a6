// The step `callModel`: asks a model, and its fallbacks where it gives no answer, and makes the text the output.

import { ServiceError } from '../contract/service-error.ts';
import type { ModelRequest, ModelResult } from '../ports/providers.ts';
import type { CallModel } from '../settings/flow-schema.ts';
import { callTarget, type TargetOutcome } from './call-target.ts';
import type { RunStep, StepContext, StepOutcome } from './step.ts';
import { renderTemplate } from './template.ts';

/** Each model that was asked is a model call of the run; the trace says in order what was tried. */
export const runCallModel: RunStep<CallModel> = async (settings, context) => {
  const request = buildRequest(settings, context);
  const targets = [{ provider: settings.provider, model: settings.model }, ...settings.fallbacks];
  const outcomes: TargetOutcome[] = [];
  for (const [index, { provider, model }] of targets.entries()) {
    const fallbacksLeft = targets.length - 1 - index;
    const bounds = { timeoutMs: settings.timeout, maxRetries: settings.retries, fallbacksLeft };
    const outcome = await callTarget({ provider, request: { ...request, model }, ...bounds }, context);
    outcomes.push(outcome);
    if ('result' in outcome || outcome.endsRun) break;
  }
  const modelCalls = outcomes.map(({ record }) => record);
  const trace = { input: request.prompt, decision: outcomes.map(describe).join(' → ') };
  const last = outcomes.at(-1);
  if (last !== undefined && 'result' in last) {
    return { ...toOutcome(last.result), trace: { ...trace, output: last.result.text }, modelCalls };
  }
  return { trace, modelCalls, end: { kind: 'failed', refusal: worstOf(outcomes) } };
};

/** The request of the step's own model; its fallbacks get the same for theirs. */
export function buildRequest(
  settings: CallModel,
  { state, values }: StepContext,
): Omit<ModelRequest, 'signal'> {
  const { model, maxTokens, temperature, topP, stopSequences, seed } = settings;
  return {
    model,
    system: state.system,
    prompt: renderTemplate(settings.prompt, values),
    // Always sent: without it some providers reserve the model's maximum and throttle.
    maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** `demo/m`, or with what went wrong there: `demo/m [unavailable (HTTP 503), timeout]`. */
function describe({ target, failures }: TargetOutcome): string {
  return failures.length === 0 ? target : `${target} [${failures.join(', ')}]`;
}

/**
 * What the caller hears when no model answered: the end of the time or of a limit's room, or else that one is down, since that passes; or else what
 * the first one said. The operator reads about all of them.
 */
function worstOf(outcomes: readonly TargetOutcome[]): ServiceError {
  const unanswered = outcomes.filter((outcome) => 'refusal' in outcome);
  const refusals = unanswered.map(({ refusal }) => refusal);
  const final = unanswered.find(({ endsRun }) => endsRun)?.refusal;
  const reported =
    final ??
    refusals.find(({ code }) => code === 'upstream_unavailable') ??
    refusals[0] ??
    new ServiceError('internal', { reason: 'no model was asked' });
  if (refusals.length < 2) return reported;
  // A retry before a limit has room is useless.
  const waits = (final === undefined ? refusals : [final]).flatMap(({ retryAfterMs }) =>
    retryAfterMs === undefined ? [] : [retryAfterMs],
  );
  return new ServiceError(reported.code, {
    reason: refusals.map(({ reason, code }) => reason ?? code).join('; '),
    cause: reported,
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) }),
  });
}

/** A content filter stops the run: what is left of the text is served as it is, an empty one not at all. */
function toOutcome(result: ModelResult): Pick<StepOutcome, 'state' | 'end'> {
  if (result.finish !== 'filtered') return { state: { output: result.text } };
  return { end: { kind: 'done', output: result.text === '' ? undefined : result.text, stopped: true } };
}
