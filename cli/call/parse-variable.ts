// Reads the values of `neuron call --var`.
import { InvalidArgumentError } from 'commander';

export type VariableValues = Readonly<Record<string, string | number | boolean>>;

/** `NAME=VALUE`, added to those before it. A value that is a number, true, false or a text in JSON is that; any other is a text as it stands. */
export function parseVariable(text: string, before: VariableValues = {}): VariableValues {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at));
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    throw new InvalidArgumentError('It must be NAME=VALUE, such as tone=warm.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} was passed twice.`);
  return { ...before, [name]: readValue(text.slice(at + 1)) };
}

function readValue(text: string): string | number | boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    // Digits that a number would not keep are a text, such as those of a long order.
    if (typeof value === 'number' && String(value) === text) return value;
  } catch {
    // No JSON: a text.
  }
  return text;
}
