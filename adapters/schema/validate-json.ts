// Validates JSON against a JSON Schema (json-schema.org/draft/2020-12), by a validator that makes no code at run time.
import { Validator } from '@cfworker/json-schema';
import type { ValidateJson } from '../../core/ports/platform.ts';

/** A schema that cannot be read takes nothing: the path is then that of the whole value. */
export const validateJson: ValidateJson = (schema, value) => {
  try {
    const { valid, errors } = new Validator(schema, '2020-12').validate(value);
    if (valid) return undefined;
    // The deepest location says most: those above it fail because of it.
    const [deepest] = errors.toSorted((a, b) => b.instanceLocation.length - a.instanceLocation.length);
    return deepest?.instanceLocation.replace(/^#/, '') || '/';
  } catch {
    return '/';
  }
};
