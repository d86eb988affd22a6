// A model's answer behind the guards: whole, streamed, or blocked.
import { untilAborted } from '../../async/race.ts';
import { toServiceError } from '../../contract/service-error.ts';
import type { CallModel } from '../../settings/flow-schema.ts';
import type { TargetOutcome } from '../call-target.ts';
import type { AnswerGuards, FlowEnd, StepContext } from '../step.ts';
import type { AttemptSink } from '../stream-attempt.ts';

/** A sink behind the guards. */
export interface WatchedSink {
  readonly sink: AttemptSink | undefined;
  /** The output of an answer that is blocked: what has left of it, or the text in its place; as it comes, that of the guard that blocks. */
  leftOf(text?: string): string | undefined;
  /** Sends on what the sinks behind the guards still hold of an answer that is blocked. */
  flush(): Promise<void>;
}

/** The sink itself where there are no guards. */
export function watchSink(sink: AttemptSink | undefined, guards: AnswerGuards | undefined): WatchedSink {
  const flush = async (): Promise<void> => sink?.end?.();
  if (sink === undefined || guards === undefined) return { sink, leftOf: (text) => text, flush };
  let sent = '';
  let hasCalls = false;
  const guarded = guards.watch({
    ...sink,
    text(text) {
      sent += text;
      return sink.text(text);
    },
    toolCall(call) {
      hasCalls = true;
      return sink.toolCall(call);
    },
  });
  return {
    sink: guarded.sink,
    // A text that has left cannot be taken back.
    leftOf: (text) => sent || (hasCalls ? undefined : (text ?? guarded.blockedText())),
    flush,
  };
}

type InspectedOutcome = TargetOutcome & { readonly blocked?: FlowEnd };

/** The answer as the guards leave it; `blocked` is the end of a run whose answer they do not let through. */
export async function inspectOutcome(
  outcome: TargetOutcome,
  { leftOf, flush }: WatchedSink,
  settings: Pick<CallModel, 'outputSchema' | 'accepts'>,
  { conversation, deadline, ports: { guards } }: Pick<StepContext, 'conversation' | 'deadline' | 'ports'>,
): Promise<InspectedOutcome> {
  if (guards === undefined) return outcome;
  const stopped = (text?: string): FlowEnd => ({ kind: 'done', output: leftOf(text), stopped: true });
  if ('rejection' in outcome && outcome.rejection.code !== 'guard_blocked') return outcome;
  try {
    if ('rejection' in outcome) {
      // All that has passed the guards is the answer, in the log too: none of it stays behind.
      await untilAborted(deadline.signal, flush());
      return { ...outcome, blocked: stopped() };
    }
    const { result, blocked } = await guards.inspect(outcome.result, asksForJson(settings, conversation));
    const inspected = { ...outcome, result };
    return blocked === undefined ? inspected : { ...inspected, blocked: stopped(blocked.text) };
  } catch (thrown) {
    // The model has been paid for: its record stays.
    return { ...outcome, blocked: { kind: 'failed', rejection: toServiceError(thrown) } };
  }
}

/** A text that is served as it stands in a flow, behind the guards of what models answer. */
export async function inspectText(
  text: string,
  guards: AnswerGuards | undefined,
): Promise<{ readonly output: string | undefined; readonly isBlocked: boolean }> {
  if (guards === undefined) return { output: text, isBlocked: false };
  const answer = { text, finish: 'stop', usage: undefined, modelVersion: undefined } as const;
  const { result, blocked } = await guards.inspect(answer, false);
  return { output: blocked === undefined ? result.text : blocked.text, isBlocked: blocked !== undefined };
}

/** True where the text of an answer is JSON, by the step or by the caller. */
export function asksForJson(
  { outputSchema, accepts }: Pick<CallModel, 'outputSchema' | 'accepts'>,
  { schema, json }: StepContext['conversation'],
): boolean {
  const isOfCaller = accepts.includes('schema') && (schema !== undefined || json === true);
  return outputSchema !== undefined || isOfCaller;
}
