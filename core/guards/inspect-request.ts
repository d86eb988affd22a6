// Shows guards the texts of a request.
import type { EmbeddingWish } from '../conversation/conversation.ts';
import type { Invocation } from '../surfaces/surface.ts';
import type { ActiveGuard } from './active-guards.ts';
import type { StateWith } from './answer-guards.ts';
import { type Block, strictest } from './block.ts';
import { withCleanIds } from './calls/call-ids.ts';
import { createFindCounts, type Place } from './find-counts.ts';
import {
  type InspectPlace,
  inspectConversation,
  inspectEmbedding,
  inspectRepeated,
} from './inspect-conversation.ts';
import { type GuardState, inspectTexts } from './inspect-texts.ts';
import { findRejected } from './unseen.ts';

export type RequestTexts = Pick<Invocation, 'conversation' | 'repeated'> & {
  readonly embedding?: EmbeddingWish;
};

export type InspectedRequest = RequestTexts & {
  readonly blocked: Block | undefined;
  readonly unseen: Place | undefined;
};

/** Counts what is found. */
export function inspectRequest(
  request: RequestTexts,
  guards: readonly ActiveGuard[],
  stateWith: StateWith,
): InspectedRequest {
  const { conversation, embedding, repeated } = request;
  const blocks: (Block & { readonly name: string })[] = [];
  const state = stateWith(({ name, text }, place) => blocks.push({ name, text, place }));
  const inspect: InspectPlace = (place, texts) => inspectTexts(state, place, texts);
  // The same texts have been counted and judged where they stand in the conversation.
  const quietState: GuardState = { ...state, counts: createFindCounts(), block: () => undefined };
  const quiet: InspectPlace = (place, texts) => inspectTexts(quietState, place, texts);
  const inspected = withCleanIds(inspectConversation(conversation, inspect), state.callIds);
  return {
    conversation: inspected,
    ...(embedding === undefined ? {} : { embedding: inspectEmbedding(embedding, inspect) }),
    ...(repeated === undefined ? {} : { repeated: inspectRepeated(repeated, quiet) }),
    blocked: strictest(blocks),
    unseen: findRejected(guards, request),
  };
}
