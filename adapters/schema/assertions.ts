// Keywords for a single value (json-schema-validation, section 6). `pattern` and `format` are left to the provider: an engine that
// backtracks may take hours for one of them.
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';
import { createValueSet } from './equality.ts';
import type { ReadRule } from './evaluation.ts';
import type { Work } from './work.ts';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  array: (value) => Array.isArray(value),
  object: (value) => toJsonObject(value) !== undefined,
};

const type: ReadRule = (setting) => {
  const names: readonly unknown[] = Array.isArray(setting) ? setting : [setting];
  const checks = Object.entries(TYPES).flatMap(([name, check]) => (names.includes(name) ? [check] : []));
  return ({ value, place }) => (checks.some((check) => check(value)) ? undefined : place);
};

/** Reads the list once, so that its length does not count for each value. */
const oneOfValues =
  (listOf: (setting: unknown) => readonly unknown[] | undefined): ReadRule =>
  (setting, _schema, { work }) => {
    const list = listOf(setting);
    if (list === undefined) return undefined;
    const known = createValueSet();
    for (const value of list) known.add(value, work);
    return ({ value, place }, run) => (known.has(value, run.work) ? undefined : place);
  };

const uniqueItems: ReadRule = (setting) => {
  if (setting !== true) return undefined;
  return ({ value, place }, { work }) => {
    if (!Array.isArray(value)) return undefined;
    const known = createValueSet();
    return value.every((item: unknown) => known.add(item, work)) ? undefined : place;
  };
};

const required: ReadRule = (setting) => {
  if (!Array.isArray(setting)) return undefined;
  const names = setting.filter((name): name is string => typeof name === 'string');
  return ({ value, place }, { work }) => {
    const object = toJsonObject(value);
    if (object === undefined) return undefined;
    for (const name of names) {
      work.spend(1);
      if (!Object.hasOwn(object, name)) return place;
    }
    return undefined;
  };
};

/** A bound on a number that `measure` gives; values for which it gives undefined are valid. */
const bound =
  (
    measure: (value: unknown, work: Work) => number | undefined,
    holds: (measured: number, limit: number) => boolean,
  ): ReadRule =>
  (limit) => {
    if (typeof limit !== 'number') return undefined;
    return ({ value, place }, { work }) => {
      const measured = measure(value, work);
      return measured === undefined || holds(measured, limit) ? undefined : place;
    };
  };

const atLeast = (measured: number, limit: number): boolean => measured >= limit;
const atMost = (measured: number, limit: number): boolean => measured <= limit;

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const itemCount = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);

function memberCount(value: unknown, work: Work): number | undefined {
  const object: JsonObject | undefined = toJsonObject(value);
  if (object === undefined) return undefined;
  const { length } = Object.keys(object);
  work.spend(length);
  return length;
}

/** Code points (json-schema-validation, section 6.3.1). */
function textLength(value: unknown, work: Work): number | undefined {
  if (typeof value !== 'string') return undefined;
  // Code points are counted one by one.
  work.spend(value.length / 8);
  let length = 0;
  for (const _point of value) length += 1;
  return length;
}

/** Compares decimal digits, so that 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  if (!(step > 0)) return true;
  const one = toDecimal(value);
  const other = toDecimal(step);
  const exponent = Math.min(one.exponent, other.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return scaled(one) % scaled(other) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const fraction = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  return { digits: BigInt(digits.replace('.', '')), exponent: Number(exponent) - fraction };
}

/** A division may be one of numbers with 600 digits. */
function costlyNumber(value: unknown, work: Work): number | undefined {
  work.spend(12);
  return number(value);
}

/** Checked first, because most invalid values fail it. */
export const TYPE: Readonly<Record<string, ReadRule>> = { type };

/** In the order of their application. */
export const ASSERTIONS: Readonly<Record<string, ReadRule>> = {
  const: oneOfValues((value) => [value]),
  enum: oneOfValues((list) => (Array.isArray(list) ? list : undefined)),
  required,
  minimum: bound(number, atLeast),
  maximum: bound(number, atMost),
  exclusiveMinimum: bound(number, (value, limit) => value > limit),
  exclusiveMaximum: bound(number, (value, limit) => value < limit),
  multipleOf: bound(costlyNumber, isMultiple),
  minLength: bound(textLength, atLeast),
  maxLength: bound(textLength, atMost),
  minItems: bound(itemCount, atLeast),
  maxItems: bound(itemCount, atMost),
  uniqueItems,
  minProperties: bound(memberCount, atLeast),
  maxProperties: bound(memberCount, atMost),
};
