// Compares JSON values (json-schema-core, section 4.2.2) by a text of each, so that a list of n values takes n steps.
import { IncompleteValidation, type Work } from './work.ts';

export interface ValueSet {
  has(value: unknown, work: Work): boolean;
  /** False if the set has the value. */
  add(value: unknown, work: Work): boolean;
}

export function createValueSet(): ValueSet {
  const primitives = new Set<unknown>();
  const composites = new Set<string>();
  const placeOf = (value: unknown, work: Work): readonly [Set<unknown>, unknown] => {
    if (isComposite(value)) return [composites, spell(value, work, 0)];
    if (typeof value === 'string') work.spendText(value);
    else work.spend(1);
    return [primitives, value];
  };
  return {
    has(value, work) {
      const [set, key] = placeOf(value, work);
      return set.has(key);
    },
    add(value, work) {
      const [set, key] = placeOf(value, work);
      if (set.has(key)) return false;
      set.add(key);
      return true;
    },
  };
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** No useful value is nearly as deep, and a deeper one may exhaust the stack. */
const MAX_DEPTH = 500;

/** The same text for equal values, whatever the order of their members. */
function spell(value: unknown, work: Work, depth: number): string {
  if (!isComposite(value)) {
    const text = JSON.stringify(value);
    work.spendText(text);
    return text;
  }
  if (depth >= MAX_DEPTH) throw new IncompleteValidation('cost');
  if (Array.isArray(value)) {
    work.spend(1 + value.length);
    return `[${value.map((item: unknown) => spell(item, work, depth + 1)).join(',')}]`;
  }
  const names = Object.keys(value);
  work.spend(1 + names.length);
  const members = names.sort().map((name) => {
    work.spendText(name);
    return `${JSON.stringify(name)}:${spell((value as Record<string, unknown>)[name], work, depth + 1)}`;
  });
  return `{${members.join(',')}}`;
}
