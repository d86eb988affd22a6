// A neuron as a caller meets it who sends the shortest values: for the least that its model calls reserve.
import type { Neuron } from '../neuron-schema.ts';
import { PLACEHOLDER } from '../placeholders.ts';

/** The same neuron with nothing in the place of its variables in prompts; itself without variables. */
export function withEmptyVariables(neuron: Neuron): Neuron {
  const names = Object.keys(neuron.variables ?? {});
  return names.length === 0 || neuron.flow === undefined
    ? neuron
    : { ...neuron, flow: emptyIn(neuron.flow, names) };
}

function emptyIn<Value>(value: Value, names: readonly string[]): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => emptyIn(one, names)) as Value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    if (key === 'outputSchema') return [key, member] as const;
    return [
      key,
      key === 'prompt' && typeof member === 'string' ? emptyText(member, names) : emptyIn(member, names),
    ] as const;
  });
  return Object.fromEntries(members) as Value;
}

function emptyText(text: string, names: readonly string[]): string {
  return text.replace(PLACEHOLDER, (written, name: string) => (names.includes(name) ? '' : written));
}
