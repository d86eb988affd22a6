// The step `callModel`: calls a model, and its fallbacks when it gives no answer. The text becomes the output.

import { ServiceError } from '../contract/service-error.ts';
import { nameTools, type WireNames } from '../conversation/wire-names.ts';
import type { ModelResult } from '../ports/providers.ts';
import { drawTargets } from '../settings/call-targets.ts';
import type { CallModel } from '../settings/flow-schema.ts';
import { callTarget, type TargetOutcome } from './call-target.ts';
import { describeAnswer, describeMessages } from './describe-messages.ts';
import { inspectOutcome, watchSink } from './guards/inspect-outcome.ts';
import { forTarget, membersOfCaller } from './request/compose-parameters.ts';
import { composeRequest } from './request/compose-request.ts';
import type { FlowState, RunStep, StepOutcome } from './step.ts';
import {
  ownerOf,
  passedAnswer,
  sealBlocks,
  shownReasoning,
  type ThoughtOwner,
  toAttemptSink,
  withOwnThoughts,
} from './thoughts.ts';

/** Each model that is asked is a model call of the run; the trace lists them in order. */
export const runCallModel: RunStep<CallModel> = async (settings, context) => {
  const drawn = drawTargets(settings, context.ports.random);
  const targets = [...drawn, ...settings.fallbacks];
  const request = composeRequest(settings, context, targets[0]?.model ?? '');
  const ofCaller = membersOfCaller(settings, request);
  const names = nameTools(context.conversation.tools);
  const outcomes: (Awaited<ReturnType<typeof inspectOutcome>> & { readonly owner: ThoughtOwner })[] = [];
  for (const [index, { provider, model }] of targets.entries()) {
    const fallbacksLeft = targets.length - 1 - index;
    // Another target serves the same model: it is asked at once, in place of a retry after a wait.
    const maxRetries = index < drawn.length - 1 ? 0 : settings.retries;
    const owner = ownerOf(settings, { provider, model }, context.ports);
    const own = withOwnThoughts(forTarget(request, settings, { provider, model }, context.ports), owner);
    if (own.leftOut.length > 0) context.ports.leaveOut?.(own.leftOut, ofCaller);
    const bounds = { timeoutMs: settings.timeout, maxRetries, fallbacksLeft };
    const sink = context.servesText(settings) ? toAttemptSink(context.ports.sink, names, owner) : undefined;
    const watched = watchSink(sink, context.ports.guards);
    const call = { provider, request: own.request, ofCaller, ...bounds, sink: watched.sink };
    const named = withCallersNames(await callTarget(call, context), names);
    const outcome = await inspectOutcome(named, watched, settings, context);
    outcomes.push({ ...outcome, owner });
    if ('result' in outcome || outcome.endsRun) break;
  }
  const modelCalls = outcomes.map(({ record }) => record);
  const trace = { input: describeMessages(request.messages), decision: describeTargets(outcomes) };
  const last = outcomes.at(-1);
  if (last?.blocked !== undefined) return { trace, modelCalls, end: last.blocked };
  if (last !== undefined && 'result' in last) {
    const { text, toolCalls = [] } = last.result;
    const output = describeAnswer(text, toolCalls);
    const blocks = sealBlocks(last.result.blocks, last.owner);
    const reasoningText = shownReasoning(last.result.blocks, last.owner);
    const passed = passedAnswer(last.result, last.owner);
    const ended = toOutcome(last.result, { blocks, reasoningText, passed });
    return { ...ended, trace: { ...trace, output }, modelCalls };
  }
  return { trace, modelCalls, end: { kind: 'failed', rejection: worstOf(outcomes) } };
};

/** The calls of an answer under the names that the caller gave its tools. */
function withCallersNames(outcome: TargetOutcome, { fromWire }: WireNames): TargetOutcome {
  if (!('result' in outcome) || outcome.result.toolCalls === undefined) return outcome;
  const { toolCalls, blocks } = outcome.result;
  const named = blocks?.map((one) => (one.type === 'toolCall' ? { ...one, call: fromWire(one.call) } : one));
  return {
    ...outcome,
    result: {
      ...outcome.result,
      toolCalls: toolCalls.map(fromWire),
      ...(named === undefined ? {} : { blocks: named }),
    },
  };
}

/** Every target that was asked, in order. */
export function describeTargets(outcomes: readonly TargetOutcome[]): string {
  return outcomes.map(describe).join(' → ');
}

/** `demo/m`, or with its failures and the limit that cut its answer: `demo/m [unavailable (HTTP 503), timeout]`. */
function describe({ target, failures, record: { cutAt } }: TargetOutcome): string {
  const notes = [
    ...failures,
    ...(cutAt === undefined ? [] : [`cut at ${cutAt} tokens, which the caller did not ask for`]),
  ];
  return notes.length === 0 ? target : `${target} [${notes.join(', ')}]`;
}

/**
 * The caller's error when no model answered: first one that ended the run, then `upstream_unavailable`, which passes, then that of the
 * first target. The reason, for the operator, names all.
 */
export function worstOf(outcomes: readonly TargetOutcome[]): ServiceError {
  const unanswered = outcomes.filter((outcome) => 'rejection' in outcome);
  const rejections = unanswered.map(({ rejection }) => rejection);
  const final = unanswered.find(({ endsRun }) => endsRun)?.rejection;
  const reported =
    final ??
    rejections.find(({ code }) => code === 'upstream_unavailable') ??
    rejections[0] ??
    new ServiceError('internal', { reason: 'no model was asked' });
  if (rejections.length < 2) return reported;
  // A retry before a limit has room is useless.
  const waits = (final === undefined ? rejections : [final]).flatMap(({ retryAfterMs }) =>
    retryAfterMs === undefined ? [] : [retryAfterMs],
  );
  return new ServiceError(reported.code, {
    reason: rejections.map(({ reason, code }) => reason ?? code).join('; '),
    cause: reported,
    ...(reported.detail === undefined ? {} : { detail: reported.detail }),
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) }),
  });
}

/**
 * A content filter stops the run, which serves the rest of the text unless it is empty. Calls of the caller's tools end it: their
 * results come with the next request.
 */
function toOutcome(
  { text, finish, toolCalls = [] }: ModelResult,
  thoughts: Pick<FlowState, 'blocks' | 'reasoningText' | 'passed'>,
): Pick<StepOutcome, 'state' | 'end'> {
  if (finish === 'filtered') {
    return { end: { kind: 'done', output: text === '' ? undefined : text, stopped: true, ...thoughts } };
  }
  if (toolCalls.length > 0) {
    return { end: { kind: 'done', output: text, stopped: false, toolCalls, ...thoughts } };
  }
  return { state: { output: text, ...thoughts } };
}
