// The variables of a version: values that callers send by name, and that its texts hold as `{{name}}`.
import * as z from 'zod/mini';
import { explainKind, members } from '../members.ts';
import { PLACEHOLDERS } from '../placeholders.ts';
import { flag, integer, label, text } from '../scalars.ts';
import { noted } from '../schema-notes.ts';

export const VARIABLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Names that stand for something else: placeholders, and the model that a caller chose. */
const RESERVED: readonly string[] = [...PLACEHOLDERS, 'model'];

export const MAX_VARIABLES = 50;
const MAX_VALUES = 100;
/** UTF-16 units of a text that a caller sends; half a megabyte of them all together at the most. */
const MAX_LENGTH = 100_000;
const DEFAULT_LENGTH = 10_000;
/** Every whole number up to here is exact, and its text has no exponent. */
const MAX_NUMBER = 1e15;

const numberError = `must be a number from -${MAX_NUMBER} to ${MAX_NUMBER}`;
const amount = z
  .number({ error: numberError })
  .check(z.minimum(-MAX_NUMBER, { error: numberError }), z.maximum(MAX_NUMBER, { error: numberError }));

const wellFormed = text(0, MAX_LENGTH).check(
  z.refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode' }),
);

const isEveryNew = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

function listOf<Entry extends z.ZodMiniType>(entry: Entry) {
  return z
    .array(entry)
    .check(
      z.minLength(1),
      z.maxLength(MAX_VALUES),
      z.refine(isEveryNew, { error: 'must name each value once' }),
    );
}

const common = {
  /** For tools of the Model Context Protocol, whose models read it. */
  description: z.optional(label(500)),
  required: z._default(flag, false),
};

interface Declared {
  readonly required: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[] | undefined;
}

/** The errors of a default that no caller could ever get, or send. */
const hasUsefulDefault = z.check<Declared>(({ value, issues }) => {
  const { required, default: initial, enum: values } = value;
  if (initial === undefined) return;
  const add = (message: string) =>
    issues.push({ code: 'custom', input: initial, path: ['default'], message });
  if (required) add('would never count beside `required: true`: take one of them out');
  else if (values !== undefined && !values.includes(initial)) add('must be one of the values of enum');
});

const textVariable = members({
  type: z.literal('string'),
  ...common,
  enum: z.optional(listOf(wellFormed)),
  maxLength: z._default(integer(1, MAX_LENGTH), DEFAULT_LENGTH),
  default: z.optional(wellFormed),
  /** Filled in as a JSON string: in quotes, on one line. */
  quoted: z._default(flag, false),
}).check(
  hasUsefulDefault,
  z.refine(({ default: initial = '', maxLength }) => initial.length <= maxLength, {
    error: 'must have a default of at most maxLength characters',
  }),
);

const numberVariable = members({
  type: z.literal('number'),
  ...common,
  enum: z.optional(listOf(amount)),
  min: z.optional(amount),
  max: z.optional(amount),
  default: z.optional(amount),
}).check(
  hasUsefulDefault,
  z.refine(({ min = -MAX_NUMBER, max = MAX_NUMBER }) => min <= max, {
    error: 'must have a min that is at most its max',
  }),
  z.refine(
    ({ default: initial, enum: values = [], min = -MAX_NUMBER, max = MAX_NUMBER }) =>
      [...values, ...(initial === undefined ? [] : [initial])].every((one) => one >= min && one <= max),
    { error: 'must have a default and an enum within min and max' },
  ),
);

const booleanVariable = members({
  type: z.literal('boolean'),
  ...common,
  default: z.optional(flag),
}).check(hasUsefulDefault);

const TYPES = ['string', 'number', 'boolean'] as const;

const variable = z.discriminatedUnion('type', [textVariable, numberVariable, booleanVariable], {
  error: explainKind('type', TYPES),
});

const NAME_ERROR = 'must be a letter with up to 63 letters, digits or _';

const name = noted(
  z.string().check(
    z.regex(VARIABLE_NAME, { error: NAME_ERROR }),
    z.refine((value) => !RESERVED.includes(value), {
      error: `must not be ${RESERVED.join(', ')}, which {{…}} stands for already`,
    }),
  ),
  {},
);

export const variablesSchema = z.record(name, variable).check(
  z.refine((all) => Object.keys(all).length <= MAX_VARIABLES, {
    error: `must name at most ${MAX_VARIABLES} variables`,
  }),
);

/** Declarations by name, in the order of the file. */
export type Variables = z.output<typeof variablesSchema>;
export type Variable = Variables[string];

/** Undefined for stored declarations that this release cannot use; none where nothing is stored. */
export function parseVariables(stored: unknown): Variables | undefined {
  if (stored === undefined) return {};
  const parsed = variablesSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

/** True for a text that may say anything: it must not stand where the operator speaks. */
export function isFreeText(variable: Variable): boolean {
  return variable.type === 'string' && variable.enum === undefined && !variable.quoted;
}
