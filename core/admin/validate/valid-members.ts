// Leaves out of a document the members that its schema rejects, so that the rest is validated in the same run.
import type * as z from 'zod/mini';
import type { Path } from '../../settings/path.ts';

interface ValidMembers {
  readonly value: unknown;
  readonly removed: ReadonlySet<string>;
}

/** The document without the members that have issues; undefined when an issue is about the document as a whole. */
export function keepValidMembers(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): ValidMembers | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const removed = new Set<string>();
  for (const issue of issues) {
    const names = issue.path.length > 0 ? [issue.path[0]] : 'keys' in issue ? issue.keys : [undefined];
    for (const name of names) {
      if (typeof name !== 'string') return undefined;
      removed.add(name);
    }
  }
  const kept = Object.entries(value).filter(([name]) => !removed.has(name));
  return { value: Object.fromEntries(kept), removed };
}

/** Settings whose meaning does not depend on other members. The others are validated against access and flow. */
const INDEPENDENT: ReadonlySet<unknown> = new Set(['neuron', 'access', 'flow', 'deadline', 'providers']);

/** Whether a diagnostic of the valid members is true of the whole document as well. */
export function isTrueOfWhole(removed: ReadonlySet<string>, [member]: Path): boolean {
  if (typeof member !== 'string' || removed.has(member)) return false;
  return INDEPENDENT.has(member) || !(removed.has('access') || removed.has('flow'));
}
