// The texts of a request or an answer as services are asked about them: the same in the same order each time.
import type { Conversation } from '../../conversation/conversation.ts';
import type { InspectedText } from '../../ports/guards.ts';
import type { Place } from '../find-counts.ts';
import {
  type InspectPlace,
  inspectConversation,
  inspectEmbedding,
  inspectRepeated,
} from '../inspect-conversation.ts';
import type { RequestTexts } from '../inspect-request.ts';
import type { PlacedTexts } from './verdicts.ts';

/** Every text that `inspect` is shown, in order; the traversal is the same each time. */
export function collect(
  traverse: (inspect: InspectPlace) => unknown,
  roleOf: (place: Place) => InspectedText['role'],
): readonly PlacedTexts[] {
  const placed: PlacedTexts[] = [];
  traverse((place, texts) => {
    placed.push({ place, role: roleOf(place), texts });
    return texts;
  });
  return placed;
}

/** A text that an answer repeats has been judged where it stands in the conversation: the same text becomes the same. */
export function inspectRequest(
  { conversation, embedding, repeated }: RequestTexts,
  inspectSome: InspectPlace,
): RequestTexts {
  const changed = new Map<string, string>();
  const inspect: InspectPlace = (place, texts) => {
    const inspected = inspectSome(place, texts);
    for (const [index, text] of texts.entries()) {
      // A text that is changed in one place is repeated so, even if another place leaves it.
      if (changed.get(text) === undefined || changed.get(text) === text)
        changed.set(text, inspected[index] ?? '');
    }
    return inspected;
  };
  const inspected = inspectConversation(conversation, inspect);
  const ofVectors = embedding === undefined ? {} : { embedding: inspectEmbedding(embedding, inspect) };
  const again: InspectPlace = (_place, texts) => texts.map((text) => changed.get(text) ?? text);
  return {
    conversation: inspected,
    ...ofVectors,
    ...(repeated === undefined ? {} : { repeated: inspectRepeated(repeated, again) }),
  };
}

export function roleIn({ messages }: Conversation): (place: Place) => InspectedText['role'] {
  return ({ stage, message }) => {
    if (stage === 'system' || stage === 'tools') return 'system';
    return (message === undefined ? undefined : messages[message]?.role) ?? 'user';
  };
}

/** True for what came after the latest answer, and for what is no turn. An answer that a caller began, at the end, is as new as what it answers. */
export function isNewIn({ messages }: Conversation): (place: Place) => boolean {
  const begun = messages.findLastIndex(({ role }) => role !== 'assistant');
  const last = messages.slice(0, begun + 1).findLastIndex(({ role }) => role === 'assistant');
  return ({ message }) => message === undefined || message > last;
}
