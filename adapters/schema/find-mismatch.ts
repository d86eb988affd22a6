// Validates JSON against a JSON Schema (json-schema.org/draft/2020-12), which may be a caller's, in bounded time and memory.
import type { SchemaMismatch, ValidateJson } from '../../core/ports/platform.ts';
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';
import { APPLICATORS } from './applicators.ts';
import { ASSERTIONS, TYPE } from './assertions.ts';
import { CHILDREN, UNEVALUATED } from './children.ts';
import {
  addAnnotations,
  type Instance,
  noAnnotations,
  type Place,
  type ReadRule,
  ROOT,
  type Rule,
  type Run,
  toPointer,
} from './evaluation.ts';
import { createReferences } from './references.ts';
import { createWork, IncompleteValidation, type Work } from './work.ts';

/** Nesting of schemas, references included: more may exhaust the stack. */
const MAX_DEPTH = 400;

const KEYWORDS: readonly (readonly [string, ReadRule])[] = Object.entries({
  ...TYPE,
  ...APPLICATORS,
  ...CHILDREN,
  ...ASSERTIONS,
});

/** `checkTime` is called from time to time, and throws after the deadline. */
export function findMismatch(
  schema: JsonObject,
  value: unknown,
  checkTime: () => void,
): Awaited<ReturnType<ValidateJson>> {
  try {
    const run = createRun(schema, createWork(checkTime));
    const miss = run.evaluate(schema, { value, place: ROOT, annotations: undefined });
    return miss === undefined ? undefined : { path: toPointer(miss) };
  } catch (thrown) {
    if (thrown instanceof IncompleteValidation) return { unchecked: thrown.why } satisfies SchemaMismatch;
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
      if (object === undefined) throw new IncompleteValidation('schema');
      let rules = known.get(object);
      if (rules === undefined) {
        rules = readSchema(object, run);
        known.set(object, rules);
      }
      depth += 1;
      if (depth > MAX_DEPTH) throw new IncompleteValidation('cost');
      const miss = apply(rules, instance, run);
      depth -= 1;
      return miss;
    },
  };
  return run;
}

interface ReadSchema {
  readonly rules: readonly Rule[];
  /** Those that need the annotations of the others. */
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
  const own: Instance = isLast ? { ...instance, annotations: noAnnotations() } : instance;
  run.work.spend(rules.length);
  for (const rule of isLast ? [...rules, ...last] : rules) {
    const miss = rule(own, run);
    if (miss !== undefined) return miss;
  }
  if (isLast && instance.annotations !== undefined && own.annotations !== undefined)
    addAnnotations(instance.annotations, own.annotations, run.work);
  return undefined;
}
