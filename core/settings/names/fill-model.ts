// Puts the name that a caller chose in the place of `{{model}}`, where a flow passes it on to a provider.
import { type BoundedMap, createBoundedMap } from '../../async/bounded-map.ts';
import type { Flow } from '../flow-schema.ts';

/** The model of a call that is the caller's own choice, among the neuron's `models`. */
export const CHOSEN_MODEL = '{{model}}';

/** Names of one flow that are kept filled in: a name with `*` stands for any number. */
const MAX_NAMES = 100;

/** By the flow, which lives as long as its version; null for one that passes no name on. */
const filled = new WeakMap<Flow, BoundedMap<Flow> | null>();

/** True for a flow in which a name must be filled in. */
export function passesModelOn(flow: Flow): boolean {
  const known = filled.get(flow);
  if (known !== undefined) return known !== null;
  const passes = fillIn(flow, '') !== flow;
  filled.set(flow, passes ? createBoundedMap(MAX_NAMES) : null);
  return passes;
}

/** The same flow for the same name, and the flow itself where it passes none on. */
export function fillModel(flow: Flow, name: string): Flow {
  if (!passesModelOn(flow)) return flow;
  const flows = filled.get(flow);
  const known = flows?.get(name) ?? fillIn(flow, name);
  flows?.put(name, known);
  return known;
}

/** A copy of those parts alone in which a `model` changes. Schemas are texts of the operator. */
export function fillIn<Value>(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([key, member]) => [key, fillMember(key, member, name)] as const);
  if (after.every(([, member], index) => member === before[index]?.[1])) return value;
  const members = Array.isArray(value) ? after.map(([, member]) => member) : Object.fromEntries(after);
  return members as Value;
}

function fillMember(key: string, member: unknown, name: string): unknown {
  if (key === 'model' && member === CHOSEN_MODEL) return name;
  return key === 'outputSchema' ? member : fillIn(member, name);
}
