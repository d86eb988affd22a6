// Finds the places in a document that a pattern names.
import type { Path } from '../settings/path.ts';

/** Parts of a path: `*` stands for any one part, `**` for any number of parts, none included. */
type PathPattern = readonly string[];

/** A place and what stands there. */
export interface PathMatch {
  readonly path: Path;
  readonly value: unknown;
}

/** Every place that fits, from the top down. Reading a document bounds its depth. */
export function findPaths(value: unknown, pattern: PathPattern): PathMatch[] {
  return [...match(value, pattern, [])];
}

function* match(value: unknown, [part, ...rest]: PathPattern, path: Path): Generator<PathMatch> {
  if (part === undefined) {
    yield { path, value };
    return;
  }
  if (part === '**') yield* match(value, rest, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    if (part === '**') yield* match(member, [part, ...rest], at);
    else if (part === '*' || part === name) yield* match(member, rest, at);
  }
}
