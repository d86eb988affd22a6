// Takes out of a document what its schema refuses, so that the rest can be judged: every error at once, not one after the other.
import type * as z from 'zod/mini';
import type { Path } from '../diagnostic.ts';

/** What is left, and the names of the members that were taken out. */
export interface Remainder {
  readonly value: unknown;
  readonly removed: ReadonlySet<string>;
}

/** The document without its members at fault; undefined when it is at fault as a whole. */
export function withoutBroken(value: unknown, issues: readonly z.core.$ZodIssue[]): Remainder | undefined {
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

/** Settings that mean the same whatever stands beside them. Others are judged against access and flow. */
const INDEPENDENT: ReadonlySet<unknown> = new Set(['neuron', 'access', 'flow', 'deadline', 'providers']);

/** Whether a finding of the remainder holds for the whole document as well. */
export function holdsWithout(removed: ReadonlySet<string>, [member]: Path): boolean {
  if (typeof member !== 'string' || removed.has(member)) return false;
  return INDEPENDENT.has(member) || !(removed.has('access') || removed.has('flow'));
}
