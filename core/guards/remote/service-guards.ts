// The guards by services of one request: what they let through of it and of its answers, what they found, and what they cost.
import type { Conversation } from '../../conversation/conversation.ts';
import type { InspectedAnswer } from '../../flow/step.ts';
import type { InspectedText } from '../../ports/guards.ts';
import type { MaskPlace } from '../../ports/idempotency.ts';
import type { ModelResult } from '../../ports/providers.ts';
import type { ActiveGuard } from '../active-guards.ts';
import type { Place } from '../find-counts.ts';
import { inspectAnswer } from '../inspect-answer.ts';
import {
  type InspectPlace,
  inspectConversation,
  inspectEmbedding,
  inspectRepeated,
} from '../inspect-conversation.ts';
import type { Placeholders } from '../placeholders.ts';
import type { RequestGuards, RequestTexts, ServiceGuards } from '../request-guards.ts';
import { createAsking } from './asking.ts';
import { maskAgain, maskPlacesOf } from './mask-places.ts';
import type { ServicePorts } from './question.ts';
import { type PlacedTexts, toQuestions } from './verdicts.ts';

/** The same guards, which ask services about what those in the process have left. */
export function withServices(
  local: RequestGuards,
  active: readonly ActiveGuard[],
  ports: ServicePorts,
): RequestGuards {
  const { placeholders } = local;
  const asking = createAsking(placeholders, ports);
  const remote = active.filter(({ service }) => service !== undefined);
  let masks: readonly MaskPlace[] = [];
  const services: ServiceGuards = {
    mayChange: remote.some(({ action }) => action !== 'flag'),
    async inspectInput(request) {
      const placed = collect((inspect) => inspectRequest(request, inspect), roleIn(request.conversation));
      const isNew = isNewIn(request.conversation);
      const { blocked, replay, cuts } = await asking.askAll(toQuestions(remote, placed, isNew), placed);
      masks = maskPlacesOf(placed, cuts);
      return { ...inspectRequest(request, replay), blocked };
    },
    masks: () => masks,
    calls: asking.calls,
    ended: asking.ended,
  };
  return {
    ...local,
    services,
    answers: {
      ...local.answers,
      async inspect(result, isJson) {
        const inspected = await local.answers.inspect(result, isJson);
        return inspected.blocked === undefined ? askAnswer(inspected.result, isJson) : inspected;
      },
    },
    found: () => [...local.found(), ...asking.found()],
  };

  async function askAnswer(result: ModelResult, isJson: boolean): Promise<InspectedAnswer> {
    const inspectBy = (inspect: InspectPlace) => inspectAnswer(result, isJson, { guards: remote, inspect });
    const placed = collect(inspectBy, () => 'assistant');
    const { blocked, replay } = await asking.askAll(
      toQuestions(remote, placed, () => true),
      placed,
    );
    return {
      result: inspectBy(replay),
      ...(blocked === undefined ? {} : { blocked: { text: blocked.text } }),
    };
  }
}

/** Masks what services masked when the same request was answered. */
export function maskRepeated(
  request: RequestTexts,
  masks: readonly MaskPlace[],
  placeholders: Placeholders,
): void {
  maskAgain(masks, (inspect) => inspectRequest(request, inspect), placeholders);
}

/** Every text that `inspect` is shown, in order; the traversal is the same each time. */
function collect(
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
function inspectRequest(
  { conversation, embedding, repeated }: RequestTexts,
  inspectSome: InspectPlace,
): RequestTexts {
  const changed = new Map<string, string>();
  const inspect: InspectPlace = (place, texts) => {
    const inspected = inspectSome(place, texts);
    for (const [index, text] of texts.entries()) {
      // What is changed in one place is repeated so, even if another one leaves it.
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

function roleIn({ messages }: Conversation): (place: Place) => InspectedText['role'] {
  return ({ stage, message }) => {
    if (stage === 'system' || stage === 'tools') return 'system';
    return (message === undefined ? undefined : messages[message]?.role) ?? 'user';
  };
}

/** True for what came after the latest answer, and for what is no turn. */
function isNewIn({ messages }: Conversation): (place: Place) => boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return ({ message }) => message === undefined || message > last;
}
