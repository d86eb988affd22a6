// Keywords that apply schemas in place: references, combinations, conditions (json-schema-core, sections 8.2 and 10.2).
import { toJsonObject } from '../../core/text/json.ts';
import {
  addAnnotations,
  deeper,
  type Instance,
  noAnnotations,
  type Place,
  type ReadRule,
  type Run,
  readSchemas,
} from './evaluation.ts';
import { IncompleteValidation } from './work.ts';

/** Keeps the annotations of a subschema only if the value matches it. */
function attempt(schema: unknown, instance: Instance, run: Run): Place | undefined {
  if (instance.annotations === undefined) return run.evaluate(schema, instance);
  const annotations = noAnnotations();
  const miss = run.evaluate(schema, { ...instance, annotations });
  if (miss === undefined) addAnnotations(instance.annotations, annotations, run.work);
  return miss;
}

const reference: ReadRule = (setting, schema, run) => {
  if (typeof setting !== 'string') throw new IncompleteValidation('schema');
  const target = run.follow(setting, schema);
  return (instance) => run.evaluate(target, instance);
};

/** A dynamic reference depends on the path to its schema; no provider supports it. */
const unsupported: ReadRule = () => {
  throw new IncompleteValidation('schema');
};

const allOf: ReadRule = (setting) => {
  const schemas = readSchemas(setting);
  return (instance, run) => {
    for (const schema of schemas) {
      const miss = run.evaluate(schema, instance);
      if (miss !== undefined) return miss;
    }
    return undefined;
  };
};

const anyOf: ReadRule = (setting) => {
  const schemas = readSchemas(setting);
  return (instance, run) => {
    let deepest = instance.place;
    let fits = false;
    for (const schema of schemas) {
      const miss = attempt(schema, instance, run);
      if (miss !== undefined) deepest = deeper(deepest, miss);
      fits ||= miss === undefined;
      if (fits && instance.annotations === undefined) break;
    }
    return fits ? undefined : deepest;
  };
};

const oneOf: ReadRule = (setting) => {
  const schemas = readSchemas(setting);
  return (instance, run) => {
    let deepest = instance.place;
    let fitting = 0;
    for (const schema of schemas) {
      const miss = attempt(schema, instance, run);
      if (miss === undefined) fitting += 1;
      else deepest = deeper(deepest, miss);
      if (fitting > 1) return instance.place;
    }
    return fitting === 1 ? undefined : deepest;
  };
};

const not: ReadRule = (setting) => (instance, run) =>
  run.evaluate(setting, { ...instance, annotations: undefined }) === undefined ? instance.place : undefined;

/** `then` and `else` have no effect without `if`. */
const condition: ReadRule = (setting, schema) => (instance, run) => {
  const name = attempt(setting, instance, run) === undefined ? 'then' : 'else';
  return Object.hasOwn(schema, name) ? run.evaluate(schema[name], instance) : undefined;
};

/** A list, as in the old `dependencies`, names other members that must be there. */
const dependencies: ReadRule = (setting) => {
  const byName = toJsonObject(setting);
  if (byName === undefined) return undefined;
  return (instance, run) => {
    const value = toJsonObject(instance.value);
    if (value === undefined) return undefined;
    for (const [name, dependency] of Object.entries(byName)) {
      run.work.spend(1);
      if (!Object.hasOwn(value, name)) continue;
      if (Array.isArray(dependency)) {
        run.work.spend(dependency.length);
        if (!dependency.every((one) => Object.hasOwn(value, String(one)))) return instance.place;
        continue;
      }
      const miss = run.evaluate(dependency, instance);
      if (miss !== undefined) return miss;
    }
    return undefined;
  };
};

/** In the order of their application. */
export const APPLICATORS: Readonly<Record<string, ReadRule>> = {
  $ref: reference,
  $dynamicRef: unsupported,
  $recursiveRef: unsupported,
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  dependentSchemas: dependencies,
  dependentRequired: dependencies,
  dependencies,
};
