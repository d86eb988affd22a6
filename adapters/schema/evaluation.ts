// What every keyword of a schema works with: the place in the value, what was evaluated there, and the run of one validation.
import type { JsonObject } from '../../core/text/json.ts';
import { Unchecked, type Work } from './work.ts';

/** A place in the value, as a list from the inside out: a path is made of the one that is told alone. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly depth: number;
}

/** The whole value. */
export const ROOT: Place = { parent: undefined, key: '', depth: 0 };

/** A JSON pointer (RFC 6901); `/` for the whole value. */
export function toPointer(place: Place): string {
  const parts: string[] = [];
  for (let one = place; one.parent !== undefined; one = one.parent) {
    parts.push(String(one.key).replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return `/${parts.reverse().join('/')}`;
}

/** The place that lies deeper in the value: those above fail because of it. */
export function deeper(one: Place, other: Place): Place {
  return other.depth > one.depth ? other : one;
}

/** Members and items that a schema has looked at, for `unevaluatedProperties` and `unevaluatedItems` (json-schema-core, section 11). */
export interface Seen {
  allNames: boolean;
  readonly names: Set<string>;
  allItems: boolean;
  /** Items before this index. */
  itemsBefore: number;
  readonly items: Set<number>;
}

/** Nothing yet. */
export function nothingSeen(): Seen {
  return { allNames: false, names: new Set(), allItems: false, itemsBefore: 0, items: new Set() };
}

/** Adds what a subschema that fits has seen. */
export function addSeen(to: Seen, from: Seen, work: Work): void {
  work.spend(1 + from.names.size + from.items.size);
  to.allNames ||= from.allNames;
  to.allItems ||= from.allItems;
  to.itemsBefore = Math.max(to.itemsBefore, from.itemsBefore);
  for (const name of from.names) to.names.add(name);
  for (const index of from.items) to.items.add(index);
}

/** One value at one place. `seen` is there only where a schema further out asks for it. */
export interface Instance {
  readonly value: unknown;
  readonly place: Place;
  readonly seen: Seen | undefined;
}

/** A keyword of one schema, read once: the place that does not fit, or undefined. */
export type Rule = (instance: Instance, run: Run) => Place | undefined;

/** Makes the rule of a keyword from its value and the schema around it; undefined where the value asks for nothing. */
export type ReadRule = (setting: unknown, schema: JsonObject, run: Run) => Rule | undefined;

/** One validation. */
export interface Run {
  readonly work: Work;
  evaluate(schema: unknown, instance: Instance): Place | undefined;
  follow(reference: string, schema: JsonObject): unknown;
}

/** The value of a keyword that holds schemas. Throws `Unchecked` for anything else. */
export function readSchemas(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unchecked('schema');
  return value;
}
