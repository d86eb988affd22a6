// The schema of assertions: a part of promptfoo's, by its names and members, without those that run code.
import * as z from 'zod/mini';
import { explainKind, members } from '../members.ts';
import { decimal, flag, integer, label, text } from '../scalars.ts';
import { noted } from '../schema-notes.ts';

/** Types of promptfoo that run code with the rights of whoever runs the tests. */
const CODE_TYPES: readonly string[] = ['javascript', 'python', 'ruby', 'webhook'];

const RUNS_CODE =
  'would run code of a settings file with the rights of whoever runs the tests, and is not taken';

const MAX_VALUE = 100_000;

/** No template of promptfoo's language, and no file: a value is compared as it stands, but for `{{name}}` of the case's own variables. */
function isPlain(value: string): boolean {
  return !/\{%|\{#/.test(value) && !value.startsWith('file://') && !value.startsWith('package:');
}

const PLAIN =
  'must be a plain text: `{{name}}` may name a variable of the case, and other templates, file:// and package: are not taken';

const plainText = text(1, MAX_VALUE).check(z.refine(isPlain, { error: PLAIN }));

const plainValue = z.union([plainText, z.number()], { error: 'must be a text or a number' });

/** `{ transform: … }` and the like are members of promptfoo's, so that who comes from it reads why they are missing here. */
const code = z.optional(z.never({ error: RUNS_CODE }));

const common = {
  /** Its share in the score of a run; 1 when absent. */
  weight: z.optional(positive(1_000, 'without weight it could never fail: take it out instead')),
  /** The name of a score over all runs. */
  metric: z.optional(label(100)),
  /** True: the run fails with it, whatever its score is. */
  critical: z.optional(flag),
  transform: code,
  contextTransform: code,
};

/** More than 0. */
function positive(most: number, zero: string) {
  const error = `must be a number above 0, at most ${most}: ${zero}`;
  return noted(z.number({ error }).check(z.refine((value) => value > 0 && value <= most, { error })), {
    exclusiveMinimum: 0,
    maximum: most,
  });
}

/** The score at which a run or a set passes. */
export const scoreThreshold = positive(1, 'at 0 everything would pass');

/** A type and its opposite. */
function both<Name extends string>(...names: readonly Name[]) {
  return z.literal(names.flatMap((name): [Name, `not-${Name}`] => [name, `not-${name}`]));
}

const equals = members({ type: both('equals'), value: z.unknown(), ...common }).check(
  z.refine(({ value }) => value !== undefined && value !== null, {
    error: 'must have a value',
    path: ['value'],
  }),
  z.refine(({ value }) => typeof value !== 'string' || isPlain(value), { error: PLAIN, path: ['value'] }),
);

const contains = members({ type: both('contains', 'icontains'), value: plainValue, ...common });

const values = z.union([plainText, z.array(plainValue).check(z.minLength(1), z.maxLength(100))], {
  error: 'must be a list of 1 to 100 texts or numbers, or one text with commas between them',
});

const containsSome = members({
  type: both('contains-any', 'icontains-any', 'contains-all', 'icontains-all'),
  value: values,
  ...common,
});

const startsWith = members({ type: both('starts-with'), value: plainText, ...common });

const regex = members({ type: both('regex'), value: text(1, 10_000), ...common });

const jsonSchema = z.record(z.string(), z.unknown(), { error: 'must be a JSON Schema: an object' });

const json = members({ type: both('is-json', 'contains-json'), value: z.optional(jsonSchema), ...common });

const levenshtein = members({
  type: both('levenshtein'),
  value: text(0, MAX_VALUE).check(z.refine(isPlain, { error: PLAIN })),
  threshold: z.optional(integer(0, MAX_VALUE)),
  ...common,
});

const similar = members({
  type: both('similar'),
  value: z.union([plainText, z.array(plainText).check(z.minLength(1), z.maxLength(10))], {
    error: 'must be a text, or a list of 1 to 10',
  }),
  threshold: z.optional(decimal(-1, 1)),
  ...common,
});

const rubric = members({
  type: both('llm-rubric'),
  value: plainText,
  threshold: z.optional(scoreThreshold),
  ...common,
});

/** `threshold`: milliseconds for `latency`, US dollars for `cost`. */
const figure = members({
  type: both('latency', 'cost'),
  threshold: z
    .number({ error: 'must be a number: milliseconds for latency, US dollars for cost' })
    .check(z.gte(0, { error: 'must be 0 or more' })),
  ...common,
});

const SINGLE = [
  equals,
  contains,
  containsSome,
  startsWith,
  regex,
  json,
  levenshtein,
  similar,
  rubric,
  figure,
] as const;

export const ASSERTION_TYPES = [
  'equals',
  'contains',
  'icontains',
  'contains-any',
  'icontains-any',
  'contains-all',
  'icontains-all',
  'starts-with',
  'regex',
  'is-json',
  'contains-json',
  'levenshtein',
  'similar',
  'llm-rubric',
  'latency',
  'cost',
] as const;

function explainType(types: readonly string[]) {
  const explainOther = explainKind('type', types);
  return (issue: { readonly input?: unknown }): string => {
    const type: unknown = (issue.input as Readonly<Record<string, unknown>> | null | undefined)?.['type'];
    if (typeof type !== 'string') return explainOther(issue);
    const base = type.replace(/^not-/, '');
    if (CODE_TYPES.includes(base)) return `"${base}" ${RUNS_CODE}`;
    return explainOther(type === base ? issue : { input: { type: base } });
  };
}

const single = z.discriminatedUnion('type', SINGLE, { error: explainType(ASSERTION_TYPES) });

const assertSet = members({
  type: z.literal('assert-set'),
  assert: z.array(single).check(z.minLength(1), z.maxLength(50)),
  threshold: z.optional(scoreThreshold),
  weight: common.weight,
  metric: common.metric,
  critical: common.critical,
});

export const assertionSchema = z.discriminatedUnion('type', [...SINGLE, assertSet], {
  error: explainType([...ASSERTION_TYPES, 'assert-set']),
});

/** One assertion as parsed. */
export type SingleAssertion = z.output<typeof single>;
export type AssertSet = z.output<typeof assertSet>;
export type Assertion = z.output<typeof assertionSchema>;

/** The assertion with this type among its own. */
export type AssertionOf<Type extends SingleAssertion['type']> = SingleAssertion extends infer One
  ? One extends { readonly type: infer Types }
    ? Type extends Types
      ? One
      : never
    : never
  : never;
