// Reads objects of an unknown kind, such as `metric: request`, as the kind that was probably meant, so that the rest is validated too.
import type * as z from 'zod/mini';
import { findNearest } from '../../settings/members.ts';
import type { Path } from '../../settings/path.ts';
import { valueAt } from '../../text/json.ts';

type Issue = z.core.$ZodIssue;

/** Each is tried with the whole document, so a document of nothing but wrong kinds must end. */
const MAX_WRONG_KINDS = 50;

interface LikelyDocument {
  /** The document with those kinds, for further validation. */
  readonly value: unknown;
  /** Issues that its schema still has. */
  readonly issues: readonly Issue[];
  /** Those within the objects of a wrong kind. */
  readonly inside: readonly Issue[];
}

/** Undefined where no kind is wrong. */
export function assumeKinds(
  value: unknown,
  issues: readonly Issue[],
  schema: z.ZodMiniType,
): LikelyDocument | undefined {
  const wrong = issues.flatMap((issue) => toWrongKind(issue) ?? []).slice(0, MAX_WRONG_KINDS);
  if (wrong.length === 0) return undefined;
  let assumed = value;
  for (const one of wrong) assumed = chooseKind(assumed, one, schema);
  const objects = wrong.map(({ path }) => path.slice(0, -1));
  const isInside = ({ path }: Issue) =>
    objects.some((object) => object.every((part, at) => part === path[at]));
  const left = issuesOf(assumed, schema);
  return { value: assumed, issues: left, inside: left.filter(isInside) };
}

interface WrongKind {
  /** Path of the member that names the kind. */
  readonly path: Path;
  readonly kinds: readonly string[];
}

function toWrongKind(issue: Issue): WrongKind | undefined {
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options))
    return undefined;
  return { path: issue.path as Path, kinds: issue.options.filter((one) => typeof one === 'string') };
}

/** The kind with the nearest name, else the one with which the document has the fewest issues. */
function chooseKind(value: unknown, { path, kinds }: WrongKind, schema: z.ZodMiniType): unknown {
  const nearest = findNearest(String(valueAt(value, path)), kinds);
  if (nearest !== undefined) return replaceAt(value, path, nearest);
  const tried = kinds.map((kind) => replaceAt(value, path, kind));
  const counts = tried.map((one) => issuesOf(one, schema).length);
  return tried[counts.indexOf(Math.min(...counts))] ?? value;
}

function issuesOf(value: unknown, schema: z.ZodMiniType): readonly Issue[] {
  return schema.safeParse(value).error?.issues ?? [];
}

function replaceAt(value: unknown, [first, ...rest]: Path, replacement: string): unknown {
  if (first === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? replaceAt(item, rest, replacement) : item));
  const inner = (value as Readonly<Record<string | number, unknown>>)[first];
  return { ...(value as object), [first]: replaceAt(inner, rest, replacement) };
}
