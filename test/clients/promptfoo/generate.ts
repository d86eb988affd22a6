// Generates answers and assertions about them, so that each type holds for some answers and not for others.
import type { seeded } from '../../../core/statistics/seeded.ts';

/** A case as promptfoo and the command get it. */
export interface GeneratedCase {
  readonly assert: readonly object[];
  readonly threshold?: number;
  readonly output: string;
  readonly latencyMs: number;
  /** US dollars; undefined where nobody knows it. */
  readonly cost: number | undefined;
  /** The answer of the judge, as a text. */
  readonly graded: string;
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

type Random = ReturnType<typeof seeded>;

const WORDS = [
  'Open',
  'open',
  'nine',
  'NINE',
  'Bern',
  'ß',
  'STRASSE',
  'İ',
  'café',
  '42',
  'no',
  'yes',
  '😀',
  'a,b',
  '"q"',
  'x',
];
const BLANKS = [' ', ' ', ' ', '\n', '  ', ', '];

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('there is nothing to choose from');
  return value;
}

function text(random: Random, words: number): string {
  return Array.from(
    { length: 1 + Math.floor(random() * words) },
    () => pick(random, WORDS) + pick(random, BLANKS),
  )
    .join('')
    .trim();
}

function json(random: Random): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => ({ open: Math.floor(random() * 12) }),
    () => ({ open: pick(random, WORDS), list: [1, null, true] }),
    () => ({ nested: { open: 9 }, brace: '}' }),
    () => [1, 2],
    () => 42,
    () => null,
  ];
  return pick(random, kinds)();
}

/** Answers: words, JSON, JSON between words, and what looks like JSON. */
function answer(random: Random): string {
  const share = random();
  if (share < 0.45) return text(random, 8);
  if (share < 0.65) return JSON.stringify(json(random), null, random() < 0.5 ? 0 : 2);
  if (share < 0.9) return `${text(random, 3)} ${JSON.stringify(json(random))} ${text(random, 3)}`;
  return pick(random, ['{open: 9}', 'so {"open": 9', "{'open': 9}", 'a } b { c', '{"open": 9,}', '']);
}

/** True for an answer that YAML reads as an object where JSON does not, that lacks a brace at its end, or has one within a string. */
export function isLoose(output: string): boolean {
  return /\{open|"open": 9$|\{'open|9,\}|\{ c|"\}"/.test(output);
}

const SCHEMAS: readonly object[] = [
  { type: 'object', required: ['open'] },
  { type: 'object', properties: { open: { type: 'integer', minimum: 5 } }, required: ['open'] },
  { type: 'array', items: { type: 'integer' } },
  { type: ['object', 'number'] },
  { not: { type: 'object' } },
];

const PATTERNS = ['[Oo]pen', '^nine', 'e$', '\\d+', '(?i)nine', '\\bBern\\b', 'n.n', '^\\s*\\{', '[^a-z]{3}'];

/** A word or two that may stand in the answer. */
function part(random: Random, output: string): string {
  if (output.length > 3 && random() < 0.5) {
    const from = Math.floor(random() * (output.length - 2));
    // Blanks at the ends are none of a list's own.
    const cut = output.slice(from, from + 1 + Math.floor(random() * 6)).trim();
    if (cut !== '' && !/[\uD800-\uDFFF]/.test(cut) && !cut.includes('{') && !cut.includes('}')) return cut;
  }
  return pick(random, WORDS);
}

function change(random: Random, output: string): string {
  const at = Math.floor(random() * (output.length + 1));
  const changed =
    output.slice(0, at) + pick(random, ['', 'zz', 'abcdefgh']) + output.slice(at + Math.floor(random() * 4));
  return changed.replaceAll(/[{}]/g, '');
}

type Generate = (random: Random, output: string) => object;

const list: Generate = (random, output) => {
  const values = Array.from({ length: 1 + Math.floor(random() * 3) }, () => part(random, output));
  const isPlain = values.every((value) => !/["\\]/.test(value));
  return { value: isPlain && random() < 0.3 ? values.map((value) => `"${value}"`).join(', ') : values };
};

/** The members of an assertion beside its type. */
export const GENERATORS: Readonly<Record<string, Generate>> = {
  equals: (random, output) => ({
    value: pick<unknown>(random, [
      output === '' ? 'x' : output.replaceAll(/[{}]/g, ''),
      { open: 9 },
      42,
      text(random, 2),
      [1, 2],
    ]),
  }),
  contains: (random, output) => ({ value: pick<unknown>(random, [part(random, output), 42]) }),
  icontains: (random, output) => ({ value: part(random, output).toUpperCase() }),
  'contains-any': list,
  'contains-all': list,
  'icontains-any': list,
  'icontains-all': list,
  'starts-with': (random, output) => ({
    value: output.slice(0, 3).replaceAll(/[{}]/g, '').toWellFormed() || pick(random, WORDS),
  }),
  regex: (random) => ({
    value: pick(
      random,
      PATTERNS.filter((pattern) => !pattern.includes('(?i)')),
    ),
  }),
  'is-json': (random) => (random() < 0.4 ? {} : { value: pick(random, SCHEMAS) }),
  'contains-json': (random) => (random() < 0.4 ? {} : { value: pick(random, SCHEMAS) }),
  levenshtein: (random, output) => ({
    value: change(random, output),
    ...(random() < 0.5 ? {} : { threshold: Math.floor(random() * 9) }),
  }),
  similar: (random) => ({
    value: random() < 0.5 ? 'one' : ['one', 'two'],
    ...(random() < 0.3 ? {} : { threshold: Math.round(random() * 100) / 100 }),
  }),
  'llm-rubric': (random) => ({
    value: 'is polite',
    ...(random() < 0.4 ? {} : { threshold: Math.round(random() * 90 + 5) / 100 }),
  }),
  latency: (random) => ({ threshold: Math.floor(random() * 1_000) }),
  cost: (random) => ({ threshold: Math.round(random() * 1_000) / 1_000 }),
};

function graded(random: Random): string {
  const score = Math.round(random() * 100) / 100;
  const verdict = { reason: 'a reason', pass: random() < 0.6, score };
  const written = JSON.stringify(random() < 0.1 ? { reason: 'a reason', score } : verdict);
  return pick(random, [written, `Here it is:\n${written}`, `\`\`\`json\n${written}\n\`\`\``]);
}

function vector(random: Random): readonly number[] {
  return Array.from({ length: 3 }, () => Math.round((random() * 2 - 0.7) * 100) / 100);
}

export function generateCase(random: Random, type: string): GeneratedCase {
  const output = answer(random);
  const generate = GENERATORS[type.replace(/^not-/, '')];
  if (generate === undefined) throw new Error(`nothing generates ${type}`);
  return {
    assert: [{ type, ...generate(random, output) }],
    output,
    latencyMs: Math.floor(random() * 1_000),
    cost: random() < 0.05 ? undefined : Math.round(random() * 1_000) / 1_000,
    graded: graded(random),
    vectors: { one: vector(random), two: vector(random), [output]: vector(random) },
  };
}

/** Several assertions with weights and a threshold, some of them in a set. */
export function generateMixed(random: Random): GeneratedCase {
  const types = ['contains', 'not-icontains', 'starts-with', 'levenshtein', 'not-regex', 'contains-any'];
  const base = generateCase(random, pick(random, types));
  const more = () => {
    const type = pick(random, types);
    const generate = GENERATORS[type.replace(/^not-/, '')];
    const weight = random() < 0.4 ? {} : { weight: 1 + Math.floor(random() * 3) };
    return { type, ...generate?.(random, base.output), ...weight };
  };
  const threshold = () => (random() < 0.5 ? {} : { threshold: Math.round(random() * 90 + 5) / 100 });
  const set = {
    type: 'assert-set',
    assert: [more(), more()],
    ...threshold(),
    ...(random() < 0.5 ? { weight: 2 } : {}),
  };
  return { ...base, assert: [...base.assert, more(), set], ...threshold() };
}
