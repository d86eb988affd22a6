// Turns the issues of a schema into diagnostics that a person can act on.
import type * as z from 'zod/mini';
import { type Path, renderPath } from '../../settings/path.ts';
import { valueAt } from '../../text/json.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument } from '../diagnostic.ts';

type Issue = z.core.$ZodIssue;

export function explainIssues(document: SourceDocument, issues: readonly Issue[]): Diagnostic[] {
  return issues
    .filter((issue) => !isConsequence(issue, issues))
    .flatMap((issue) => explain(document, issue, []));
}

/** With a member unknown, what the object lacks is that member: saying so twice would hide which one is meant. */
function isConsequence({ code, path }: Issue, issues: readonly Issue[]): boolean {
  const at = renderPath(path as Path);
  return (
    code === 'custom' &&
    issues.some((other) => other.code === 'unrecognized_keys' && renderPath(other.path as Path) === at)
  );
}

function explain(document: SourceDocument, issue: Issue, above: Path): Diagnostic[] {
  const path = [...above, ...(issue.path as Path)];
  if (issue.code === 'invalid_union') {
    const branch = chooseBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => explain(document, inner, path));
  }
  if (issue.code === 'invalid_key') {
    const [inner] = issue.issues;
    const message = `is not a name that may stand here: it ${inner?.message ?? 'is malformed'}`;
    return locateAll(document, [errorAt(path, message)]);
  }
  if (issue.code === 'unrecognized_keys') {
    // The place of the first one; the path of the object that holds it.
    const place = document.locate([...path, issue.keys[0] ?? '']);
    return [{ ...place, ...errorAt(path, issue.message) }];
  }
  const message = wordsOf(issue);
  const isMissing = valueAt(document.value, path) === undefined;
  return locateAll(document, [errorAt(path, isMissing ? `is missing: it ${message}` : message)]);
}

/** The one branch of a union that the value is meant for: its type fits, and something inside it does not. */
function chooseBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const fitting = branches.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  record: 'must have members',
  object: 'must have members',
};

/** The schema's own words, or for what it leaves to zod (whose short build has none) a wording of this file. */
function wordsOf(issue: Issue): string {
  if (issue.message !== 'Invalid input') return issue.message;
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? `must be ${issue.expected}`;
  if (issue.code === 'too_small') return `must hold at least ${issue.minimum} ${unitOf(issue)}`;
  if (issue.code === 'too_big') return `must hold at most ${issue.maximum} ${unitOf(issue)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return 'is not what belongs here';
}

function unitOf({ origin }: { readonly origin: string }): string {
  return origin === 'array' ? 'entries' : 'characters';
}
