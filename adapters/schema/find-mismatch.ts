// Validates JSON against a JSON Schema (json-schema.org/draft/2020-12) in bounded time and memory: whoever sends a schema, sends a program.

import type { SchemaMismatch, ValidateJson } from '../../core/ports/platform.ts';
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';
import { APPLICATORS } from './applicators.ts';
import { ASSERTIONS, TYPE } from './assertions.ts';
import { CHILDREN, UNEVALUATED } from './children.ts';
import {
  addSeen,
  type Instance,
  nothingSeen,
  type Place,
  type ReadRule,
  ROOT,
  type Rule,
  type Run,
  toPointer,
} from './evaluation.ts';
import { createReferences } from './references.ts';
import { createWork, Unchecked, type Work } from './work.ts';

/** Schemas within schemas, references included: deeper ones may exhaust the stack. */
const MAX_DEPTH = 400;

const KEYWORDS: readonly (readonly [string, ReadRule])[] = Object.entries({
  ...TYPE,
  ...APPLICATORS,
  ...CHILDREN,
  ...ASSERTIONS,
});

/** `checkTime` is called now and then, and throws once the deadline has passed. */
export function findMismatch(
  schema: JsonObject,
  value: unknown,
  checkTime: () => void,
): Awaited<ReturnType<ValidateJson>> {
  try {
    const run = createRun(schema, createWork(checkTime));
    const miss = run.evaluate(schema, { value, place: ROOT, seen: undefined });
    return miss === undefined ? undefined : { path: toPointer(miss) };
  } catch (thrown) {
    if (thrown instanceof Unchecked) return { unchecked: thrown.why } satisfies SchemaMismatch;
    throw thrown;
  }
}

function createRun(root: JsonObject, work: Work): Run {
  const known = new Map<JsonObject, ReadSchema>();
  let depth = 0;
  const run: Run = {
    work,
    follow: createReferences(root, work),
    evaluate(schema, instance) {
      work.spend(1);
      if (typeof schema === 'boolean') return schema ? undefined : instance.place;
      const object = toJsonObject(schema);
      if (object === undefined) throw new Unchecked('schema');
      let rules = known.get(object);
      if (rules === undefined) {
        rules = readSchema(object, run);
        known.set(object, rules);
      }
      depth += 1;
      if (depth > MAX_DEPTH) throw new Unchecked('cost');
      const miss = apply(rules, instance, run);
      depth -= 1;
      return miss;
    },
  };
  return run;
}

interface ReadSchema {
  readonly rules: readonly Rule[];
  /** Those that need what the others saw. */
  readonly last: readonly Rule[];
}

function readSchema(schema: JsonObject, run: Run): ReadSchema {
  run.work.spend(KEYWORDS.length);
  const read = (keywords: readonly (readonly [string, ReadRule])[]): readonly Rule[] =>
    keywords.flatMap(([keyword, readRule]) => {
      const rule = Object.hasOwn(schema, keyword) ? readRule(schema[keyword], schema, run) : undefined;
      return rule === undefined ? [] : [rule];
    });
  return { rules: read(KEYWORDS), last: read(Object.entries(UNEVALUATED)) };
}

function apply({ rules, last }: ReadSchema, instance: Instance, run: Run): Place | undefined {
  const isLast = last.length > 0;
  const own: Instance = isLast ? { ...instance, seen: nothingSeen() } : instance;
  run.work.spend(rules.length);
  for (const rule of isLast ? [...rules, ...last] : rules) {
    const miss = rule(own, run);
    if (miss !== undefined) return miss;
  }
  if (isLast && instance.seen !== undefined && own.seen !== undefined)
    addSeen(instance.seen, own.seen, run.work);
  return undefined;
}
