// Runs guards on the texts of one place. Each inspects what came in, whatever the others do: their order decides nothing.
import type { ValidateJson } from '../ports/platform.ts';
import type { ActiveGuard } from './active-guards.ts';
import type { CallIds } from './calls/call-ids.ts';
import { type Cut, type Find, mergeCuts } from './find.ts';
import { type FindCounts, locate, type Place } from './find-counts.ts';
import type { Placeholders } from './placeholders.ts';
import { splitTexts } from './split.ts';

/** The memory of one request. */
export interface GuardState {
  readonly guards: readonly ActiveGuard[];
  readonly placeholders: Placeholders;
  readonly counts: FindCounts;
  readonly callIds: CallIds;
  readonly validateJson: ValidateJson;
  /** Called for each guard that blocks. */
  block(guard: ActiveGuard, place: Place): void;
}

/** The part of it that texts need. */
export type TextState = Omit<GuardState, 'callIds'>;

/** Texts that a model reads as one, with what is found in them cut out; the very same list where nothing is. */
export function inspectTexts(state: TextState, place: Place, texts: readonly string[]): readonly string[] {
  const cuts: Cut[] = [];
  const text = texts.join('');
  for (const guard of state.guards) {
    if (!guard.stages.has(place.stage)) continue;
    const finds = withoutOwn(findInTexts(guard, texts), text, state.placeholders);
    state.counts.add(guard, place, finds, text);
    if (finds.length === 0 || guard.action === 'flag') continue;
    if (guard.action === 'block') state.block(guard, locate(place, texts, finds[0]?.start ?? 0));
    cuts.push(...toCuts(guard, finds));
  }
  return cuts.length === 0 ? texts : splitTexts(texts, mergeCuts(cuts), createReplace(state.placeholders));
}

/** The finds of an acting guard as what is cut out. */
export function toCuts(guard: ActiveGuard, finds: readonly Find[]): readonly Cut[] {
  const { action, restores } = guard;
  if (action === 'flag') return [];
  return finds.map((find) => {
    const { start, end } = find;
    return { start, end, length: end - start, label: guard.labelOf(find), action, restores };
  });
}

/** Quotes, backslashes and control characters, which JSON writes otherwise: such a value cannot be put back everywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds what JSON writes as escapes, control characters among them.
const ESCAPED = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;

/** False for a value that is redacted where it should be masked. */
export function isMaskable(value: string): boolean {
  return !ESCAPED.test(value);
}

/** Gives what stands in the place of a cut: its kind, or a placeholder of its value. */
export function createReplace(placeholders: Placeholders): (cut: Cut, value: string) => string {
  return ({ label, action, restores }, value) =>
    action === 'mask' && isMaskable(value) ? placeholders.mask(label, value, restores) : `[${label}]`;
}

/** By places in the texts as one. What lies across two of them counts only where neither alone is one. */
function findInTexts(guard: ActiveGuard, texts: readonly string[]): readonly Find[] {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return guard.find(only);
  let at = 0;
  const borders: number[] = [];
  const finds = texts.flatMap((text) => {
    const found = guard.find(text).map((find) => ({ ...find, start: find.start + at, end: find.end + at }));
    at += text.length;
    borders.push(at);
    return found;
  });
  const across = guard
    .find(texts.join(''))
    .filter(({ start, end }) => borders.some((border) => start < border && border < end));
  return [...finds, ...across];
}

/** A placeholder of this request is no find. */
export function withoutOwn(
  finds: readonly Find[],
  text: string,
  placeholders: Placeholders,
): readonly Find[] {
  if (finds.length === 0 || placeholders.isEmpty()) return finds;
  const own = placeholders.spansIn(text);
  const starts = own.map(({ start }) => start);
  return finds.filter(({ start, end }) => {
    const last = own[lastUpTo(start, starts)];
    return last === undefined || end > last.end;
  });
}

/** The index of the last of the places, which are in order, that is not after one; -1 without. */
function lastUpTo(place: number, places: readonly number[]): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
