// Keywords that apply schemas to members and items (json-schema-core, sections 10.3 and 11).

import { type JsonObject, toJsonObject } from '../../core/text/json.ts';
import type { Instance, Place, ReadRule, Run } from './evaluation.ts';
import { readSchemas } from './evaluation.ts';

function evaluateChild(
  schema: unknown,
  { place }: Instance,
  child: { readonly key: string | number; readonly value: unknown },
  run: Run,
): Place | undefined {
  return run.evaluate(schema, {
    value: child.value,
    place: { parent: place, key: child.key, depth: place.depth + 1 },
    seen: undefined,
  });
}

/** Names are walked by the value and not by the schema: the value has fewer. */
const properties: ReadRule = (setting) => {
  const byName = toJsonObject(setting) ?? {};
  return (instance, run) => {
    const value = toJsonObject(instance.value);
    if (value === undefined) return undefined;
    const names = Object.keys(value);
    run.work.spend(names.length);
    for (const name of names) {
      if (!Object.hasOwn(byName, name)) continue;
      instance.seen?.names.add(name);
      const miss = evaluateChild(byName[name], instance, { key: name, value: value[name] }, run);
      if (miss !== undefined) return miss;
    }
    return undefined;
  };
};

/** Patterns are left to the provider, so nobody knows which members they name: they count as seen. */
const patternProperties: ReadRule =
  () =>
  ({ seen, value }) => {
    if (seen !== undefined && toJsonObject(value) !== undefined) seen.allNames = true;
    return undefined;
  };

const additionalProperties: ReadRule = (setting, schema) => {
  if (Object.hasOwn(schema, 'patternProperties')) return undefined;
  const named = toJsonObject(schema['properties']) ?? {};
  return (instance, run) => evaluateNames(setting, instance, run, (name) => Object.hasOwn(named, name));
};

/** Read last, when everything beside it has seen what it sees. */
const unevaluatedProperties: ReadRule = (setting) => (instance, run) => {
  const { seen } = instance;
  if (seen?.allNames === true) return undefined;
  return evaluateNames(setting, instance, run, (name) => seen?.names.has(name) === true);
};

function evaluateNames(
  schema: unknown,
  instance: Instance,
  run: Run,
  isSeen: (name: string) => boolean,
): Place | undefined {
  const value = toJsonObject(instance.value);
  if (value === undefined) return undefined;
  const names = Object.keys(value);
  run.work.spend(names.length);
  for (const name of names) {
    if (isSeen(name)) continue;
    const miss = evaluateChild(schema, instance, { key: name, value: value[name] }, run);
    if (miss !== undefined) return miss;
  }
  if (instance.seen !== undefined) instance.seen.allNames = true;
  return undefined;
}

const propertyNames: ReadRule = (setting) => (instance, run) => {
  const value = toJsonObject(instance.value);
  if (value === undefined) return undefined;
  const names = Object.keys(value);
  run.work.spend(names.length);
  for (const name of names) {
    const miss = run.evaluate(setting, { value: name, place: instance.place, seen: undefined });
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
    if (instance.seen !== undefined) instance.seen.itemsBefore = Math.max(instance.seen.itemsBefore, count);
    return undefined;
  };
};

/** A list was the `prefixItems` of older drafts, with `additionalItems` for the rest. */
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
  const { seen } = instance;
  if (seen?.allItems === true) return undefined;
  const isSeen = (index: number): boolean =>
    seen !== undefined && (index < seen.itemsBefore || seen.items.has(index));
  return evaluateItems(setting, instance, run, isSeen);
};

function evaluateItems(
  schema: unknown,
  instance: Instance,
  run: Run,
  isSeen: (index: number) => boolean,
): Place | undefined {
  if (!Array.isArray(instance.value)) return undefined;
  run.work.spend(instance.value.length);
  for (const [index, value] of instance.value.entries()) {
    if (isSeen(index)) continue;
    const miss = evaluateChild(schema, instance, { key: index, value }, run);
    if (miss !== undefined) return miss;
  }
  if (instance.seen !== undefined) instance.seen.allItems = true;
  return undefined;
}

const contains: ReadRule = (setting, schema) => {
  const least = countOf(schema, 'minContains') ?? 1;
  const most = countOf(schema, 'maxContains') ?? Number.POSITIVE_INFINITY;
  return (instance, run) => {
    if (!Array.isArray(instance.value)) return undefined;
    run.work.spend(instance.value.length);
    let found = 0;
    for (const [index, value] of instance.value.entries()) {
      if (evaluateChild(setting, instance, { key: index, value }, run) !== undefined) continue;
      found += 1;
      instance.seen?.items.add(index);
    }
    return found >= least && found <= most ? undefined : instance.place;
  };
};

function countOf(schema: JsonObject, keyword: string): number | undefined {
  const count = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return typeof count === 'number' ? count : undefined;
}

/** In the order in which they are applied. */
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

/** After all others. */
export const UNEVALUATED: Readonly<Record<string, ReadRule>> = { unevaluatedProperties, unevaluatedItems };
