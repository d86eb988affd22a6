// The guards of one request: what they let through of its conversation and of its answers, and what they found.
import type { LoggedGuard, LoggedModelCall } from '../contract/log-entry.ts';
import type { AnswerGuards } from '../flow/step.ts';
import type { AnswerSink } from '../flow/stream-attempt.ts';
import type { MaskPlace } from '../ports/idempotency.ts';
import type { Invocation, RunResult } from '../surfaces/surface.ts';
import { answersWith, inspectKept, type StateWith } from './answer-guards.ts';
import { createCallIds } from './calls/call-ids.ts';
import { createFindCounts, createFingerprint } from './find-counts.ts';
import { canStream } from './inspect-answer.ts';
import { type InspectedRequest, inspectRequest, type RequestTexts } from './inspect-request.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import { keepPlaceholders, restoreRepeated, restoreResult, restoreSink } from './restore-result.ts';

export type { RequestTexts };

export interface RequestGuards {
  /** The texts of the request, with what the guards leave of them; `blocked` where one of them blocks it. */
  inspectInput(request: RequestTexts): InspectedRequest;
  readonly answers: AnswerGuards;
  /** The same call, whose answer repeats the caller's own values. */
  restoreRepeated<Repeating extends Pick<Invocation, 'repeated'>>(invocation: Repeating): Repeating;
  readonly placeholders: Placeholders;
  /** The result, and the sink, as the caller gets them: with its own values in the place of their placeholders. */
  restoreResult(result: RunResult): RunResult;
  restoreSink(sink: AnswerSink): AnswerSink;
  /** The result as its idempotency key keeps it. */
  keepPlaceholders(result: RunResult): RunResult;
  /** False where a guard must see a whole answer before any of it leaves. */
  readonly canStream: boolean;
  /** An answer that was kept; undefined where the guards would block it now, or it has placeholders of others. */
  inspectKept(output: string): Promise<string | undefined>;
  found(): readonly LoggedGuard[];
  /** Those by services; absent where there is none. */
  readonly services?: ServiceGuards;
}

/** Guards by services, asked when the limits of a request have admitted it. */
export interface ServiceGuards {
  /** False where all of them only flag. */
  readonly mayChange: boolean;
  /** As `inspectInput`, of a request that guards in the process have inspected. Throws the error of a guard that cannot let it pass. */
  inspectInput(request: RequestTexts): Promise<Omit<InspectedRequest, 'unseen'>>;
  /** Where they masked values of the request, once they were asked. */
  masks(): readonly MaskPlace[];
  /** Calls of services, each at the most that it can cost until it has ended. */
  calls(): readonly LoggedModelCall[];
  /** Resolves when no call is under way. Never rejects. */
  ended(): Promise<void>;
}

/** Secret, and the same in each request. */
export interface GuardKeys {
  /** Another one for each neuron. */
  readonly masks: string;
  /** The same for an organization: makes the digests in the log. */
  readonly finds: string;
}

export function createRequestGuards(
  guards: ReturnType<StateWith>['guards'],
  keys: GuardKeys,
  validateJson: ReturnType<StateWith>['validateJson'],
): RequestGuards {
  const placeholders = createPlaceholders(keys.masks);
  const counts = createFindCounts(createFingerprint(keys.finds));
  const callIds = createCallIds(guards);
  // Without masks `[client_credentials]` is a text like any other.
  const masks = guards.some(({ action }) => action === 'mask');
  const stateWith: StateWith = (block) => ({
    guards,
    placeholders,
    counts,
    callIds,
    validateJson,
    block,
  });
  return {
    inspectInput: (request) => inspectRequest(request, guards, stateWith),
    answers: answersWith(stateWith),
    restoreRepeated: (call) => restoreRepeated(call, placeholders),
    placeholders,
    restoreResult: (result) => restoreResult(result, placeholders),
    keepPlaceholders: (result) => keepPlaceholders(result, placeholders),
    restoreSink: (sink) => restoreSink(sink, placeholders),
    canStream: canStream(guards),
    inspectKept: async (output) =>
      masks && placeholders.hasForeign(output) ? undefined : inspectKept(output, stateWith),
    found: counts.list,
  };
}
