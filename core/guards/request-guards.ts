// The guards of one request: what they let through of its conversation and of its answers, and what they found.
import type { LoggedGuard, LoggedModelCall } from '../contract/log-entry.ts';
import type { EmbeddingWish } from '../conversation/conversation.ts';
import type { AnswerGuards } from '../flow/step.ts';
import type { AnswerSink } from '../flow/stream-attempt.ts';
import type { Invocation, RunResult } from '../surfaces/surface.ts';
import type { ActiveGuard } from './active-guards.ts';
import { checkSchemas } from './check-schemas.ts';
import { createFindCounts, type Place } from './find-counts.ts';
import { canStream, guardSink, inspectAnswer } from './inspect-answer.ts';
import {
  findUnseen,
  type InspectPlace,
  inspectConversation,
  inspectEmbedding,
  inspectRepeated,
} from './inspect-conversation.ts';
import { type GuardState, inspectTexts } from './inspect-texts.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import { keepPlaceholders, restoreRepeated, restoreResult, restoreSink } from './restore-result.ts';

/** A request that no model may see, and the answer in place of an error. */
export interface Block {
  readonly text: string | undefined;
  readonly place: Place;
}

export interface RequestGuards {
  /** The texts of the request, with what the guards leave of them; `blocked` where one of them blocks it. */
  inspectInput(
    request: RequestTexts,
  ): RequestTexts & { readonly blocked: Block | undefined; readonly unseen: Place | undefined };
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
  /** As `inspectInput`, of a request that guards in the process have inspected. Throws the error of a guard that cannot let it pass. */
  inspectInput(request: RequestTexts): Promise<RequestTexts & { readonly blocked: Block | undefined }>;
  /** Calls of services, each at the most that it can cost until it has ended. */
  calls(): readonly LoggedModelCall[];
  /** Resolves when no call is under way. Never rejects. */
  ended(): Promise<void>;
}

export type RequestTexts = Pick<Invocation, 'conversation' | 'repeated'> & {
  readonly embedding?: EmbeddingWish;
};

/** `key` is secret, and the same in each request of the neuron. */
export function createRequestGuards(
  guards: readonly ActiveGuard[],
  key: string,
  validateJson: GuardState['validateJson'],
): RequestGuards {
  const placeholders = createPlaceholders(key);
  const counts = createFindCounts();
  const inCalls = guards.some(({ restores }) => restores.has('toolCalls'));
  const stateWith: StateWith = (block) => ({
    guards,
    placeholders,
    counts,
    validateJson,
    block,
  });
  return {
    inspectInput(request) {
      const { conversation, embedding, repeated } = request;
      const blocks: (Block & { readonly name: string })[] = [];
      const state = stateWith(({ name, text }, place) => blocks.push({ name, text, place }));
      const inspect: InspectPlace = (place, texts) => inspectTexts(state, place, texts);
      // The same texts have been counted and judged where they stand in the conversation.
      const quietState: GuardState = { ...state, counts: createFindCounts(), block: () => undefined };
      const quiet: InspectPlace = (place, texts) => inspectTexts(quietState, place, texts);
      const inspected = inspectConversation(conversation, inspect);
      return {
        conversation: inspected,
        ...(embedding === undefined ? {} : { embedding: inspectEmbedding(embedding, inspect) }),
        ...(repeated === undefined ? {} : { repeated: inspectRepeated(repeated, quiet) }),
        blocked: firstByName(blocks),
        unseen: findRejected(guards, request),
      };
    },
    answers: answersWith(stateWith),
    restoreRepeated: (call) => restoreRepeated(call, placeholders),
    placeholders,
    restoreResult: (result) => restoreResult(result, { placeholders, inCalls }),
    keepPlaceholders: (result) => keepPlaceholders(result, { placeholders, inCalls }),
    restoreSink: (sink) => restoreSink(sink, { placeholders, inCalls }),
    canStream: canStream(guards),
    async inspectKept(output) {
      let isBlocked = false;
      const state = stateWith(() => {
        isBlocked = true;
      });
      await checkSchemas({ text: output }, state);
      const [inspected] = inspectTexts(state, { stage: 'output' }, [output]);
      return isBlocked || placeholders.hasForeign(output) ? undefined : inspected;
    },
    found: counts.list,
  };
}

type StateWith = (block: GuardState['block']) => GuardState;

function answersWith(stateWith: StateWith): AnswerGuards {
  return {
    async inspect(result, isJson) {
      const blocks: (Block & { readonly name: string })[] = [];
      const state = stateWith(({ name, text }, place) => blocks.push({ name, text, place }));
      const inspect: InspectPlace = (place, texts) => inspectTexts(state, place, texts);
      await checkSchemas(result, state);
      const inspected = inspectAnswer(result, isJson, { guards: state.guards, inspect });
      const blocked = firstByName(blocks);
      return { result: inspected, ...(blocked === undefined ? {} : { blocked: { text: blocked.text } }) };
    },
    watch(sink) {
      const state = stateWith(() => undefined);
      return guardSink(sink, state);
    },
  };
}

/** The same one in whatever order the guards are listed. */
export function firstByName<One extends { readonly name: string }>(blocks: readonly One[]): One | undefined {
  return blocks.toSorted((a, b) => (a.name < b.name ? -1 : 1))[0];
}

/** Where a request has content that a guard cannot see and does not let through. */
function findRejected(
  guards: readonly ActiveGuard[],
  { conversation, embedding }: RequestTexts,
): Place | undefined {
  const strict = guards.filter(({ rejectsUnseen }) => rejectsUnseen);
  const tokens = embedding?.inputs.findIndex((input) => typeof input !== 'string') ?? -1;
  const unseen: Place[] = [...findUnseen(conversation)];
  if (tokens !== -1) unseen.push({ stage: 'input', message: tokens });
  return unseen.find(({ stage }) => strict.some(({ stages }) => stages.has(stage)));
}
