// Keywords that apply schemas to members and items (json-schema-core, sections 10.3 and 11).
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';
import { type Instance, type Place, type ReadRule, type Run, readSchemas } from './evaluation.ts';

function evaluateChild(
  schema: unknown,
  { place }: Instance,
  child: { readonly key: string | number; readonly value: unknown },
  run: Run,
): Place | undefined {
  return run.evaluate(schema, {
    value: child.value,
    place: { parent: place, key: child.key, depth: place.depth + 1 },
    annotations: undefined,
  });
}

/** Iterates the value's names, which are fewer than the schema's. */
const properties: ReadRule = (setting) => {
  const byName = toJsonObject(setting) ?? {};
  return (instance, run) => {
    const value = toJsonObject(instance.value);
    if (value === undefined) return undefined;
    const names = Object.keys(value);
    run.work.spend(names.length);
    for (const name of names) {
      if (!Object.hasOwn(byName, name)) continue;
      instance.annotations?.names.add(name);
      const miss = evaluateChild(byName[name], instance, { key: name, value: value[name] }, run);
      if (miss !== undefined) return miss;
    }
    return undefined;
  };
};

/** Patterns are left to the provider, so any member may match one: all count as evaluated. */
const patternProperties: ReadRule =
  () =>
  ({ annotations, value }) => {
    if (annotations !== undefined && toJsonObject(value) !== undefined) annotations.allNames = true;
    return undefined;
  };

const additionalProperties: ReadRule = (setting, schema) => {
  if (Object.hasOwn(schema, 'patternProperties')) return undefined;
  const named = toJsonObject(schema['properties']) ?? {};
  return (instance, run) => evaluateNames(setting, instance, run, (name) => Object.hasOwn(named, name));
};

/** Applied last, after the annotations of all other keywords. */
const unevaluatedProperties: ReadRule = (setting) => (instance, run) => {
  const { annotations } = instance;
  if (annotations?.allNames === true) return undefined;
  return evaluateNames(setting, instance, run, (name) => annotations?.names.has(name) === true);
};

function evaluateNames(
  schema: unknown,
  instance: Instance,
  run: Run,
  isEvaluated: (name: string) => boolean,
): Place | undefined {
  const value = toJsonObject(instance.value);
  if (value === undefined) return undefined;
  const names = Object.keys(value);
  run.work.spend(names.length);
  for (const name of names) {
    if (isEvaluated(name)) continue;
    const miss = evaluateChild(schema, instance, { key: name, value: value[name] }, run);
    if (miss !== undefined) return miss;
  }
  if (instance.annotations !== undefined) instance.annotations.allNames = true;
  return undefined;
}

const propertyNames: ReadRule = (setting) => (instance, run) => {
  const value = toJsonObject(instance.value);
  if (value === undefined) return undefined;
  const names = Object.keys(value);
  run.work.spend(names.length);
  for (const name of names) {
    const miss = run.evaluate(setting, { value: name, place: instance.place, annotations: undefined });
    if (miss !== undefined) return miss;
  }
  return undefined;
};

const prefixItems: ReadRule = (setting) => {
  const schemas = readSchemas(setting);
  return (instance, run) => {
    if (!Array.isArray(instance.value)) return undefined;
    const count = Math.min(schemas.length, instance.value.length);
    for (let index = 0; index < count; index += 1) {
      const item = { key: index, value: instance.value[index] as unknown };
      const miss = evaluateChild(schemas[index], instance, item, run);
      if (miss !== undefined) return miss;
    }
    if (instance.annotations !== undefined)
      instance.annotations.itemsBefore = Math.max(instance.annotations.itemsBefore, count);
    return undefined;
  };
};

/** In older drafts a list meant `prefixItems`, with `additionalItems` for the rest. */
const items: ReadRule = (setting, schema, run) => {
  if (Array.isArray(setting)) return prefixItems(setting, schema, run);
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0;
  return (instance) => evaluateItems(setting, instance, run, (index) => index < first);
};

const additionalItems: ReadRule = (setting, schema) => {
  const { items: prefix } = schema;
  if (!Array.isArray(prefix)) return undefined;
  return (instance, run) => evaluateItems(setting, instance, run, (index) => index < prefix.length);
};

const unevaluatedItems: ReadRule = (setting) => (instance, run) => {
  const { annotations } = instance;
  if (annotations?.allItems === true) return undefined;
  const isEvaluated = (index: number): boolean =>
    annotations !== undefined && (index < annotations.itemsBefore || annotations.items.has(index));
  return evaluateItems(setting, instance, run, isEvaluated);
};

function evaluateItems(
  schema: unknown,
  instance: Instance,
  run: Run,
  isEvaluated: (index: number) => boolean,
): Place | undefined {
  if (!Array.isArray(instance.value)) return undefined;
  run.work.spend(instance.value.length);
  for (const [index, value] of instance.value.entries()) {
    if (isEvaluated(index)) continue;
    const miss = evaluateChild(schema, instance, { key: index, value }, run);
    if (miss !== undefined) return miss;
  }
  if (instance.annotations !== undefined) instance.annotations.allItems = true;
  return undefined;
}

const contains: ReadRule = (setting, schema) => {
  const min = readCount(schema, 'minContains') ?? 1;
  const max = readCount(schema, 'maxContains') ?? Number.POSITIVE_INFINITY;
  return (instance, run) => {
    if (!Array.isArray(instance.value)) return undefined;
    run.work.spend(instance.value.length);
    let found = 0;
    for (const [index, value] of instance.value.entries()) {
      if (evaluateChild(setting, instance, { key: index, value }, run) !== undefined) continue;
      found += 1;
      instance.annotations?.items.add(index);
    }
    return found >= min && found <= max ? undefined : instance.place;
  };
};

function readCount(schema: JsonObject, keyword: string): number | undefined {
  const count = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return typeof count === 'number' ? count : undefined;
}

/** In the order of their application. */
export const CHILDREN: Readonly<Record<string, ReadRule>> = {
  properties,
  patternProperties,
  additionalProperties,
  prefixItems,
  items,
  additionalItems,
  contains,
  propertyNames,
};

/** Applied after all others. */
export const UNEVALUATED: Readonly<Record<string, ReadRule>> = { unevaluatedProperties, unevaluatedItems };
