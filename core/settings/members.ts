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

/** Names unknown members, and the known ones that were probably meant. */
export function explainUnknown(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.map((name) => {
    const nearest = findNearest(name, known);
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
  const hint = named.every((text) => text.endsWith('?)')) ? '' : `; known are ${known.join(', ')}`;
  return `has ${named.length === 1 ? 'the unknown member' : 'unknown members:'} ${named.join(', ')}${hint}`;
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
