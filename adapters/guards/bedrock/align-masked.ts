// Finds what a service has hidden in a text, by the text that it gave back: the same, with names in braces in the place of values.

/** A value that the service says it has hidden. It writes `{label}` in its place. */
export interface HiddenValue {
  readonly entity: string;
  readonly label: string;
  readonly match: string;
}

/** In UTF-16 code units; `end` is after the last. */
export interface HiddenPlace {
  readonly entity: string;
  readonly start: number;
  readonly end: number;
}

/** A point in both texts, with the last place before it, which knows the others. */
interface Point {
  readonly at: number;
  readonly masked: number;
  readonly last: LinkedPlace | undefined;
}

interface LinkedPlace extends HiddenPlace {
  readonly before: LinkedPlace | undefined;
}

/** Characters and values that are compared at most: some hundred milliseconds. */
const MAX_STEPS = 300_000;

/** Undefined where no choice of places makes the one text of the other. Letter case of values does not count: the service folds it. */
export function alignMasked(
  text: string,
  masked: string,
  hidden: readonly HiddenValue[],
): readonly HiddenPlace[] | undefined {
  const values = hidden.filter(({ match }) => match !== '').sort((a, b) => b.match.length - a.match.length);
  const seen = new Set<string>();
  const open: Point[] = [{ at: 0, masked: 0, last: undefined }];
  let steps = 0;
  for (let point = open.pop(); point !== undefined; point = open.pop()) {
    let { at, masked: to } = point;
    while (masked[to] !== '{' && at < text.length && text[at] === masked[to]) {
      at += 1;
      to += 1;
      steps += 1;
    }
    if (at === text.length && to === masked.length) return toList(point.last);
    if (steps > MAX_STEPS) return undefined;
    // Where no name can begin, the texts differ.
    if (masked[to] !== '{' || seen.has(`${at} ${to}`)) continue;
    seen.add(`${at} ${to}`);
    steps += values.length + 1;
    open.push(...branchesOf({ at, masked: to, last: point.last }, { text, masked, values }));
  }
  return undefined;
}

/** The last one is tried first: the longest value, and a brace of the text itself last. */
function branchesOf(
  { at, masked: to, last }: Point,
  {
    text,
    masked,
    values,
  }: { readonly text: string; readonly masked: string; readonly values: readonly HiddenValue[] },
): readonly Point[] {
  const branches = values.flatMap(({ entity, label, match }): Point[] => {
    const end = at + match.length;
    if (!masked.startsWith(`{${label}}`, to)) return [];
    const value = text.slice(at, end);
    if (value !== match && value.toLowerCase() !== match.toLowerCase()) return [];
    return [{ at: end, masked: to + label.length + 2, last: { entity, start: at, end, before: last } }];
  });
  const literal = text[at] === '{' ? [{ at: at + 1, masked: to + 1, last }] : [];
  return [...literal, ...branches.toReversed()];
}

function toList(last: LinkedPlace | undefined): readonly HiddenPlace[] {
  const places: HiddenPlace[] = [];
  for (let one = last; one !== undefined; one = one.before)
    places.push({ entity: one.entity, start: one.start, end: one.end });
  return places.toReversed();
}
