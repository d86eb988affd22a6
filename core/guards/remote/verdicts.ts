// Asks the services of a stage beside each other, and does to its texts what their verdicts say.
import type { LoggedGuard } from '../../contract/log-entry.ts';
import type { InspectedText, ServiceFind } from '../../ports/guards.ts';
import type { ActiveGuard } from '../active-guards.ts';
import { type Cut, type Find, mergeCuts } from '../find.ts';
import type { Place } from '../find-counts.ts';
import type { InspectPlace } from '../inspect-conversation.ts';
import { createReplace, toCuts, withoutOwn } from '../inspect-texts.ts';
import type { Placeholders } from '../placeholders.ts';
import { splitTexts } from '../split.ts';
import type { Reply } from './ask.ts';
import type { Question } from './question.ts';

/** Texts that a model reads as one. */
export interface PlacedTexts {
  readonly place: Place;
  readonly role: InspectedText['role'];
  readonly texts: readonly string[];
}

/** A text, with its place in a list of `PlacedTexts`. */
export interface PlacedText extends InspectedText {
  readonly at: number;
  /** Where it begins in the texts of its place as one. */
  readonly from: number;
}

/** A question about texts whose places are known. */
export interface PlacedQuestion extends Question {
  readonly texts: readonly PlacedText[];
}

/** The questions of the guards by services that look at some of the texts. */
export function toQuestions(
  guards: readonly ActiveGuard[],
  placed: readonly PlacedTexts[],
  isNew: (place: Place) => boolean,
): readonly PlacedQuestion[] {
  return guards.flatMap((guard) => {
    const { service, stages } = guard;
    if (service === undefined) return [];
    const seen = placed.map(
      ({ place }) => stages.has(place.stage) && (service.history === 'all' || isNew(place)),
    );
    const texts = placed.flatMap((one, at) => (seen[at] ? withPlaces(one, at) : []));
    const [first] = placed.filter((_, at) => seen[at]);
    if (first === undefined || texts.every(({ text }) => text.trim() === '')) return [];
    return [{ guard, service, stage: stageOf(texts, placed, first), texts }];
  });
}

/** Each text, and after them all as the one that a model reads: nothing hides by being cut into parts. */
function withPlaces({ role, texts }: PlacedTexts, at: number): readonly PlacedText[] {
  let from = 0;
  const parts = texts.map((text) => {
    const one = { role, text, at, from };
    from += text.length;
    return one;
  });
  const isOne = texts.filter((text) => text.trim() !== '').length < 2;
  return isOne ? parts : [...parts, { role, text: texts.join(''), at, from: 0 }];
}

/** Texts of several stages are a conversation, or an answer: roles tell them apart. */
function stageOf(texts: readonly PlacedText[], placed: readonly PlacedTexts[], first: PlacedTexts) {
  const { stage } = first.place;
  if (texts.every(({ at }) => placed[at]?.place.stage === stage)) return stage;
  return stage === 'output' || stage === 'toolCalls' ? 'output' : 'input';
}

/** A reply, as the log keeps it: kinds and numbers. */
export function toLogged(
  { guard, stage, texts }: PlacedQuestion,
  { finds, failure, ms }: Reply,
): LoggedGuard {
  const counts = new Map<string, number>();
  for (const { entity } of distinct(finds, texts)) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  const { name, type, action } = guard;
  return {
    guard: name,
    type,
    stage,
    action,
    finds: [...counts].map(([entity, count]) => ({ type: entity, count })),
    ms,
    ...(failure === undefined ? {} : { notJudged: failure.notJudged }),
  };
}

/** Finds that chunks, or a text and its parts, share count once, and so does one that a chunk has a part of. */
function distinct(
  finds: readonly ServiceFind[],
  texts: readonly PlacedText[],
): readonly { readonly entity: string }[] {
  const ends = new Map<string, number>();
  const sorted = finds.map((one) => inPlace(one, texts[one.text])).sort((a, b) => a.start - b.start);
  return sorted.filter(({ key, start, end }) => {
    const before = ends.get(key);
    ends.set(key, Math.max(before ?? 0, end));
    return before === undefined || before <= start;
  });
}

/** A find without a place is one with any other of its kind in its text. */
function inPlace({ entity, span }: ServiceFind, whole: PlacedText | undefined) {
  const { at = 0, from = 0 } = whole ?? {};
  const { start, end } = span ?? { start: 0, end: Number.POSITIVE_INFINITY };
  return { entity, key: `${at} ${entity}`, start: start + from, end: end + from };
}

/** `from`: where the first find, or its text, begins in those of its place as one. */
interface Blocked {
  readonly guard: ActiveGuard;
  readonly at: number;
  readonly from: number;
}

/** The verdicts of acting guards: places that are blocked, and cuts by place. */
export interface Verdicts {
  readonly blocks: readonly Blocked[];
  readonly cuts: ReadonlyMap<number, readonly Cut[]>;
}

export function readReplies(
  replies: readonly { readonly question: PlacedQuestion; readonly reply: Reply }[],
  placeholders: Placeholders,
): Verdicts {
  const blocks: Blocked[] = [];
  const cuts = new Map<number, Cut[]>();
  for (const { question, reply } of replies) {
    const { guard, texts } = question;
    const unnamed = reply.unnamed
      .flatMap((index) => texts[index] ?? [])
      .map(({ at, from }) => ({ at, from }));
    const finds: readonly PlacedFind[] = [...toPlaced(reply.finds, texts, placeholders), ...unnamed];
    // Placeholders of the request are no finds, wherever a service sees one.
    const [first] = finds;
    if (first === undefined) continue;
    if (guard.action === 'block' || finds.some(({ span }) => span === undefined)) {
      blocks.push({ guard, at: first.at, from: first.from });
      continue;
    }
    for (const { at, span } of finds) {
      const own = cuts.get(at) ?? [];
      cuts.set(at, own);
      own.push(...toCuts(guard, span === undefined ? [] : [span]));
    }
  }
  return { blocks, cuts };
}

interface PlacedFind {
  readonly at: number;
  /** Where it, or its text, begins in those of its place as one. */
  readonly from: number;
  /** Absent where the service names no place. */
  readonly span?: Find;
}

function toPlaced(
  finds: readonly ServiceFind[],
  texts: readonly PlacedText[],
  placeholders: Placeholders,
): readonly PlacedFind[] {
  // By text: each is searched for placeholders once.
  return [...Map.groupBy(finds, ({ text }) => text)].flatMap(([index, found]) => {
    const whole = texts[index];
    if (whole === undefined) return [];
    const { at, from, text } = whole;
    const spans = found.flatMap(({ entity, span }) => (span === undefined ? [] : [{ entity, ...span }]));
    const cut = withoutOwn(spans, text, placeholders).map(({ entity, start, end }) => ({
      at,
      from: start + from,
      span: { entity, start: start + from, end: end + from },
    }));
    return spans.length < found.length ? [{ at, from }, ...cut] : cut;
  });
}

/** Gives for each place, in the order in which they were collected, its texts with the cuts made. */
export function replayCuts(
  placed: readonly PlacedTexts[],
  cuts: Verdicts['cuts'],
  placeholders: Placeholders,
): InspectPlace {
  const replace = createReplace(placeholders);
  let next = 0;
  return (_place, texts) => {
    const own = cuts.get(next);
    const collected = placed[next]?.texts ?? texts;
    next += 1;
    return own === undefined ? collected : splitTexts(collected, mergeCuts(own), replace);
  };
}
