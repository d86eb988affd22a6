// Reads objects of an unknown kind, such as `metric: request`, and under a misspelled name, such as `callModle`, as what was probably
// meant, so that the rest is validated too.
import type * as z from 'zod/mini';
import { findMeant, findNearest } from '../../settings/members.ts';
import type { Path } from '../../settings/path.ts';
import { valueAt } from '../../text/json.ts';

type Issue = z.core.$ZodIssue;

/** Each is tried with the whole document, so a document of nothing but wrong kinds must end. */
const MAX_WRONG_KINDS = 50;

/** A misspelled name is seen once the one above it is read: deeper ones than this are reported after a correction. */
const MAX_ROUNDS = 10;

interface LikelyDocument {
  /** The document with those kinds and names, for further validation. */
  readonly value: unknown;
  /** Issues that its schema still has. */
  readonly issues: readonly Issue[];
  /** Those within the objects of a wrong kind or name, by the names as written. */
  readonly inside: readonly Issue[];
}

/** Undefined where no kind is wrong, and no unknown name is near a known one. */
export function assumeKinds(
  value: unknown,
  issues: readonly Issue[],
  schema: z.ZodMiniType,
): LikelyDocument | undefined {
  const objects: Path[] = [];
  const renamed: Misspelling[] = [];
  const inside: Issue[] = [];
  const isInside = ({ path }: Issue) =>
    [...objects, ...renamed.map((one) => [...one.path, one.meant])].some((outer) =>
      startsWith(path as Path, outer),
    );
  let likely = { value, issues };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const wrong = likely.issues
      .flatMap((issue) => toWrongKind(issue) ?? [])
      .slice(0, MAX_WRONG_KINDS - objects.length);
    const misspelled = likely.issues.flatMap((issue) => toMisspellings(issue, likely.value));
    if (wrong.length === 0 && misspelled.length === 0) break;
    // The next reading finds them no more.
    const solved = new Set([...wrong, ...misspelled].map(({ issue }) => issue));
    inside.push(...likely.issues.filter((issue) => solved.has(issue) && isInside(issue)));
    let assumed = likely.value;
    for (const one of wrong) assumed = chooseKind(assumed, one, schema);
    for (const { path, written, meant } of misspelled) assumed = renameAt(assumed, path, written, meant);
    objects.push(...wrong.map(({ path }) => path.slice(0, -1)));
    renamed.push(...misspelled);
    likely = { value: assumed, issues: issuesOf(assumed, schema) };
  }
  if (objects.length + renamed.length === 0) return undefined;
  inside.push(...likely.issues.filter(isInside));
  const named = inside.map((issue) => ({ ...issue, path: asWritten(issue.path as Path, renamed) }) as Issue);
  return { ...likely, inside: named };
}

function startsWith(path: Path, outer: Path): boolean {
  return outer.every((part, at) => part === path[at]);
}

interface WrongKind {
  readonly issue: Issue;
  /** Path of the member that names the kind. */
  readonly path: Path;
  readonly kinds: readonly string[];
}

function toWrongKind(issue: Issue): WrongKind | undefined {
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options))
    return undefined;
  return { issue, path: issue.path as Path, kinds: issue.options.filter((one) => typeof one === 'string') };
}

interface Misspelling {
  readonly issue: Issue;
  /** The object, by the names that are meant. */
  readonly path: Path;
  readonly written: string;
  readonly meant: string;
}

/** The unknown members of one object that are near a known one which it lacks. */
function toMisspellings(issue: Issue, value: unknown): Misspelling[] {
  if (issue.code !== 'unrecognized_keys') return [];
  const path = issue.path as Path;
  const object = valueAt(value, path) as object;
  const taken = new Set<string>(Object.keys(object));
  return issue.keys.flatMap((written) => {
    const meant = findMeant(issue.message, written);
    if (meant === undefined || taken.has(meant)) return [];
    taken.add(meant);
    return [{ issue, path, written, meant }];
  });
}

/** The path by the names of the file. Outer names come first in the list: an inner path begins with what they mean. */
function asWritten(path: Path, renamed: readonly Misspelling[]): Path {
  const written = [...path];
  for (const one of renamed) {
    const at = one.path.length;
    if (path[at] === one.meant && startsWith(path, one.path)) written[at] = one.written;
  }
  return written;
}

/** The kind with the nearest name, else the one with which the document has the fewest issues. */
function chooseKind(value: unknown, { path, kinds }: WrongKind, schema: z.ZodMiniType): unknown {
  const nearest = findNearest(String(valueAt(value, path)), kinds);
  if (nearest !== undefined) return changeAt(value, path, () => nearest);
  const tried = kinds.map((kind) => changeAt(value, path, () => kind));
  const counts = tried.map((one) => issuesOf(one, schema).length);
  return tried[counts.indexOf(Math.min(...counts))] ?? value;
}

function issuesOf(value: unknown, schema: z.ZodMiniType): readonly Issue[] {
  return schema.safeParse(value).error?.issues ?? [];
}

/** The member under its other name, at its place. */
function renameAt(value: unknown, path: Path, written: string, meant: string): unknown {
  return changeAt(value, path, (object) =>
    Object.fromEntries(
      Object.entries(object as object).map(([name, inner]) => [name === written ? meant : name, inner]),
    ),
  );
}

function changeAt(value: unknown, [first, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? changeAt(item, rest, change) : item));
  const inner = (value as Readonly<Record<string | number, unknown>>)[first];
  return { ...(value as object), [first]: changeAt(inner, rest, change) };
}
