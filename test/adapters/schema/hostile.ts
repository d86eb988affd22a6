// Random schemas and answers that are made to keep a validator busy: the same ones for the same seed.

/** A random number in [0, 1), by a seed (mulberry32). */
export function createSeeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Fraction = () => number;

const NAMES = ['a', 'b', 'c', 'k1', 'k2', 'k3', '__proto__', 'x/y', 'ä'];

function pick<T>(list: readonly T[], fraction: Fraction): T {
  return list[Math.floor(fraction() * list.length)] as T;
}

function repeat<T>(fraction: Fraction, most: number, make: (index: number) => T): T[] {
  // Now and then very many.
  const length = 1 + Math.floor(most ** fraction());
  return Array.from({ length }, (_, index) => make(index));
}

const LAYERS = 12;

/** A schema of layers, each of which refers to the next one many times, of at most about 1 MB: what `maxInputBytes` may allow. */
export function hostileSchema(seed: number): Readonly<Record<string, unknown>> {
  const fraction = createSeeded(seed);
  const $defs: Record<string, unknown> = {};
  for (let layer = 0; layer < LAYERS; layer += 1) {
    $defs[`l${layer}`] = makeSchema(fraction, layer);
  }
  return { $defs, ...makeSchema(fraction, 0) };
}

function makeSchema(fraction: Fraction, layer: number): Record<string, unknown> {
  const inner = (): unknown => innerSchema(fraction, layer + 1);
  const kinds: (() => Record<string, unknown>)[] = [
    () => ({ anyOf: repeat(fraction, 200, inner) }),
    () => ({ oneOf: repeat(fraction, 200, inner) }),
    () => ({ allOf: repeat(fraction, 200, inner) }),
    () => ({ not: inner() }),
    () => ({ if: inner(), else: inner(), [pick(['then', 'const'], fraction)]: inner() }),
    () => ({ items: inner(), minItems: 1 }),
    () => ({ contains: inner(), maxContains: Math.floor(fraction() * 5) }),
    () => ({ prefixItems: repeat(fraction, 100, inner), unevaluatedItems: inner() }),
    () => ({ properties: byName(fraction, 500, inner), unevaluatedProperties: inner() }),
    () => ({ additionalProperties: inner(), propertyNames: inner() }),
    () => ({ dependentSchemas: byName(fraction, 100, inner) }),
    () => ({ enum: repeat(fraction, 3_000, () => makeAnswer(fraction, { left: 5 }, 2)) }),
    () => ({ const: makeAnswer(fraction, { left: 1_000 }, 4) }),
    () => ({ required: repeat(fraction, 3_000, (index) => `k${index}`) }),
    () => ({ uniqueItems: true, multipleOf: 10 ** -Math.floor(fraction() * 308) }),
    () => ({ minLength: 1, maxLength: 10_000, minProperties: 1 }),
    () => ({ $anchor: `a${layer}`, anyOf: [inner(), { $ref: `#a${layer}` }] }),
    () => ({ pattern: '^(a+)+$', patternProperties: { '^(b+)+$': inner() } }),
  ];
  return Object.assign({}, ...repeat(fraction, 3, () => pick(kinds, fraction)()));
}

function innerSchema(fraction: Fraction, layer: number): unknown {
  if (fraction() < 0.1) return fraction() < 0.5;
  if (fraction() < 0.15) return { $ref: '#' };
  return { $ref: `#/$defs/l${Math.min(LAYERS - 1, layer)}` };
}

function byName(fraction: Fraction, most: number, make: () => unknown): Record<string, unknown> {
  return Object.fromEntries(
    repeat(fraction, most, (index) => [index < 5 ? pick(NAMES, fraction) : `k${index}`, make()]),
  );
}

/** A value of an answer: wide, deep, long, or none of it; of at most 5,000 values. */
export function hostileAnswer(seed: number): unknown {
  const fraction = createSeeded(seed);
  if (fraction() < 0.05) return nested(fraction, 3_000);
  return makeAnswer(fraction, { left: 5_000 }, 6);
}

/** How many values may still be made. */
interface Room {
  left: number;
}

const LEAVES = [1, 0, -1.5e300, 5e-324, true, null, '', `${'a'.repeat(36)}!`, '𝒳'.repeat(100)];

function makeAnswer(fraction: Fraction, room: Room, depth: number): unknown {
  room.left -= 1;
  if (fraction() < 0.01) return 'a'.repeat(Math.floor(20_000 ** fraction()));
  if (depth === 0 || room.left < 0 || fraction() < 0.2) return pick(LEAVES, fraction);
  const most = Math.max(1, Math.min(3_000, room.left));
  if (fraction() < 0.5) return repeat(fraction, most, () => makeAnswer(fraction, room, depth - 1));
  return byName(fraction, most, () => makeAnswer(fraction, room, depth - 1));
}

function nested(fraction: Fraction, depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = fraction() < 0.5 ? [value] : { a: value };
  return value;
}
