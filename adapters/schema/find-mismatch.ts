// Validates JSON against a JSON Schema (json-schema.org/draft/2020-12), by a validator that makes no code at run time.
import { type Schema, Validator } from '@cfworker/json-schema';
import { toBoundedSchema } from './bounded-schema.ts';

/** Far above what an answer and a schema of use take: 1 ms is worth about 1,000. */
const MAX_EVALUATIONS = 200_000;

/**
 * The schema may be a caller's: one that cannot be read, or that costs too much to check, takes nothing. The path is then that of the
 * whole value.
 */
export function findMismatch(schema: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  try {
    const bounded = toBoundedSchema(schema, MAX_EVALUATIONS) as Schema;
    const { valid, errors } = new Validator(bounded, '2020-12').validate(value);
    if (valid) return undefined;
    // The deepest location says most: those above it fail because of it.
    const [deepest] = errors.toSorted((a, b) => b.instanceLocation.length - a.instanceLocation.length);
    return deepest?.instanceLocation.replace(/^#/, '') || '/';
  } catch {
    return '/';
  }
}
