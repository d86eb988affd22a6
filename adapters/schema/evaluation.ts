// Shared by all keywords of a schema: the place in the value, the annotations there, and the run of one validation.
import type { JsonObject } from '../../core/text/json.ts';
import { IncompleteValidation, type Work } from './work.ts';

/** A place in the value, linked to the one around it. A path is made only of the place that is reported. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly depth: number;
}

export const ROOT: Place = { parent: undefined, key: '', depth: 0 };

/** A JSON pointer (RFC 6901); `/` for the whole value. */
export function toPointer(place: Place): string {
  const parts: string[] = [];
  for (let one = place; one.parent !== undefined; one = one.parent) {
    parts.push(String(one.key).replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return `/${parts.reverse().join('/')}`;
}

/** The deeper place, which is the cause: those above it fail because of it. */
export function deeper(one: Place, other: Place): Place {
  return other.depth > one.depth ? other : one;
}

/** Members and items that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems` (json-schema-core, section 11). */
export interface Annotations {
  allNames: boolean;
  readonly names: Set<string>;
  allItems: boolean;
  /** Items before this index. */
  itemsBefore: number;
  readonly items: Set<number>;
}

export function noAnnotations(): Annotations {
  return { allNames: false, names: new Set(), allItems: false, itemsBefore: 0, items: new Set() };
}

export function addAnnotations(to: Annotations, from: Annotations, work: Work): void {
  work.spend(1 + from.names.size + from.items.size);
  to.allNames ||= from.allNames;
  to.allItems ||= from.allItems;
  to.itemsBefore = Math.max(to.itemsBefore, from.itemsBefore);
  for (const name of from.names) to.names.add(name);
  for (const index of from.items) to.items.add(index);
}

/** One value at one place. `annotations` are kept only where an outer schema needs them. */
export interface Instance {
  readonly value: unknown;
  readonly place: Place;
  readonly annotations: Annotations | undefined;
}

/** A keyword of one schema, read once. Gives the place of a mismatch, or undefined. */
export type Rule = (instance: Instance, run: Run) => Place | undefined;

/** Makes the rule of a keyword from its value and the schema around it; undefined where it restricts nothing. */
export type ReadRule = (setting: unknown, schema: JsonObject, run: Run) => Rule | undefined;

/** One validation. */
export interface Run {
  readonly work: Work;
  evaluate(schema: unknown, instance: Instance): Place | undefined;
  follow(reference: string, schema: JsonObject): unknown;
}

/** The value of a keyword that holds schemas. Throws `IncompleteValidation` for anything else. */
export function readSchemas(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new IncompleteValidation('schema');
  return value;
}
