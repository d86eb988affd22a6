// Makes a schema that cannot keep a process busy: whoever sends one, sends a program. References may double the work at every
// step, and a pattern of a backtracking engine needs none for that.
import type { JsonObject } from '../../core/text/json.ts';
import { toJsonObject } from '../../core/text/json.ts';

/** Keywords that are run by the platform's regular expressions. What they ask is left to the provider. */
const PATTERNS = ['pattern', 'patternProperties', 'format'] as const;

/** What says of other members what `patternProperties` does not: without those it would deny what they allow. */
const REST = ['additionalProperties', 'unevaluatedProperties'] as const;

/** Keywords whose value is a schema for each name. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

/** Keywords whose value is data. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired', 'type']);

/** A copy without patterns. Evaluating more than `evaluations` of its schemas throws. */
export function toBoundedSchema(schema: JsonObject, evaluations: number): JsonObject {
  let left = evaluations;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new RangeError('the schema costs too much to check');
  };
  return copySchema(schema, spend);
}

function copySchema(schema: JsonObject, spend: () => void): JsonObject {
  const dropped: readonly string[] = Object.hasOwn(schema, 'patternProperties')
    ? [...PATTERNS, ...REST]
    : PATTERNS;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!dropped.includes(keyword)) define(copy, keyword, { value: copyKeyword(keyword, value, spend) });
  }
  const type = copy['type'];
  // A validator reads the type of every schema once for each value that it is evaluated on.
  define(copy, 'type', {
    get() {
      spend();
      return type;
    },
  });
  return copy;
}

function copyKeyword(keyword: string, value: unknown, spend: () => void): unknown {
  if (DATA.has(keyword)) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => copyIfSchema(entry, spend));
  const object = toJsonObject(value);
  if (object === undefined || !BY_NAME.has(keyword)) return copyIfSchema(value, spend);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(object))
    define(copy, name, { value: copyIfSchema(member, spend) });
  return copy;
}

function copyIfSchema(value: unknown, spend: () => void): unknown {
  const schema = toJsonObject(value);
  return schema === undefined ? value : copySchema(schema, spend);
}

/** By definition and not by assignment: a member may be called `__proto__`. */
function define(target: object, name: string, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, name, { enumerable: true, configurable: true, ...descriptor });
}
