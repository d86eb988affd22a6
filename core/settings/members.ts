// Objects of settings files, with messages that name the member nearest to an unknown one.
import * as z from 'zod/mini';

/** A strict object. `wrong` completes a sentence about a value that is no object. */
export function members<T extends z.core.$ZodShape>(
  shape: T,
  wrong = `must have members: ${Object.keys(shape).join(', ')}`,
): z.ZodMiniObject<T, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? explainUnknown(issue.keys, known) : wrong),
  });
}

/** The error of a union of objects that a member, such as `metric`, tells apart: names the kind that was probably meant. */
export function explainKind(member: string, kinds: readonly string[]) {
  const list = `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;
  return ({ input }: { readonly input?: unknown }): string => {
    const kind: unknown = (input as Readonly<Record<string, unknown>> | null | undefined)?.[member];
    // A text that is no word, which a message should not repeat.
    if (typeof kind !== 'string' || !/^[\w.-]{1,40}$/.test(kind)) return `must have a ${member}: ${list}`;
    const nearest = findNearest(kind, kinds);
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
    return `"${kind}" is no ${member}: choose ${list}${hint}`;
  };
}

/** Names unknown members, and the known ones that were probably meant. */
export function explainUnknown(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.map((name) => {
    const nearest = findNearest(name, known);
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
  const hint = named.every((text) => text.endsWith('?)')) ? '' : `; known are ${known.join(', ')}`;
  return `has ${named.length === 1 ? 'the unknown member' : 'unknown members:'} ${named.join(', ')}${hint}`;
}

/** The known member that such a message says was meant by an unknown one. */
export function findMeant(message: string, unknown: string): string | undefined {
  const hint = ` ${unknown} (did you mean `;
  const at = message.indexOf(hint);
  return at === -1 ? undefined : message.slice(at + hint.length).split('?)')[0];
}

/** The candidate with the fewest edits, of about a third of its letters at most. Letter case does not count. */
export function findNearest(name: string, candidates: readonly string[]): string | undefined {
  // Longer names are no typing errors, and the comparison takes quadratic time.
  if (name.length > 40) return undefined;
  const lower = name.toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: countEdits(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.ceil(candidate.length / 3))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

/** Levenshtein's distance: insertions, deletions and substitutions. */
function countEdits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const substituted = (above[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(substituted, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
