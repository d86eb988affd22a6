// Checks one assertion that needs no model.
import { compileBounded } from '../../flow/pattern.ts';
import type { AssertionOf, SingleAssertion } from '../../settings/tests/assertion-schema.ts';
import { sameDocument } from '../../text/canonical-json.ts';
import { parseJson } from '../../text/json.ts';
import type { AssertionPorts, AssertionVerdict, TestedAnswer } from './assertion.ts';
import { splitValues } from './comma-values.ts';
import { editDistance } from './edit-distance.ts';
import { findJsonObjects } from './find-json.ts';

/** Whether what an assertion of this type without `not-` says holds, and what it says. */
interface Held {
  readonly holds: boolean;
  /** Completes "expected the output to …" and "expected the output not to …". */
  readonly saying: string;
}

/** Those that ask a model are for `assess.ts`. */
export type LocalAssertion = Exclude<SingleAssertion, AssertionOf<'similar'> | AssertionOf<'llm-rubric'>>;

/** Values have their variables filled in. Throws for a pattern that RE2 does not take. */
export async function checkLocally(
  assertion: LocalAssertion,
  answer: TestedAnswer,
  ports: Pick<AssertionPorts, 'validateJson'>,
): Promise<AssertionVerdict> {
  const isInverse = assertion.type.startsWith('not-');
  const held = await hold(assertion, answer, ports);
  if (typeof held === 'string') return { pass: false, score: 0, reason: held };
  const pass = held.holds !== isInverse;
  const reason = pass ? 'passed' : `expected the output ${isInverse ? 'not ' : ''}to ${held.saying}`;
  return { pass, score: pass ? 1 : 0, reason };
}

/** A text says why neither the assertion nor its opposite can pass. */
async function hold(
  assertion: LocalAssertion,
  answer: TestedAnswer,
  ports: Pick<AssertionPorts, 'validateJson'>,
): Promise<Held | string> {
  const { output } = answer;
  switch (assertion.type) {
    case 'equals':
    case 'not-equals':
      return holdEqual(assertion.value, output);
    case 'starts-with':
    case 'not-starts-with':
      if (assertion.value === '') return EMPTY;
      return { holds: output.startsWith(assertion.value), saying: `start with ${quote(assertion.value)}` };
    case 'regex':
    case 'not-regex':
      return {
        holds: compileBounded(assertion.value, true).test(output),
        saying: `match ${quote(assertion.value)}`,
      };
    case 'levenshtein':
    case 'not-levenshtein':
      return holdNear(assertion, output);
    case 'is-json':
    case 'not-is-json':
    case 'contains-json':
    case 'not-contains-json':
      return holdJson(assertion, output, ports);
    case 'latency':
    case 'not-latency':
    case 'cost':
    case 'not-cost':
      return holdFigure(assertion, answer);
    default:
      return holdContained(assertion, output);
  }
}

function holdEqual(value: unknown, output: string): Held {
  if (typeof value !== 'object')
    return { holds: String(value) === output, saying: `equal ${quote(String(value))}` };
  const parsed = parseJson(output);
  return {
    holds: parsed !== undefined && sameDocument(parsed, value),
    saying: `be JSON equal to ${quote(JSON.stringify(value))}`,
  };
}

/** Such as by a variable without a text: every output has it, so that the assertion would say nothing. */
const EMPTY = 'the value is empty';

type Containing = AssertionOf<'contains' | 'icontains'> | AssertionOf<'contains-any' | 'contains-all'>;

function holdContained(assertion: Containing, output: string): Held | string {
  const type = assertion.type.replace(/^not-/, '');
  const fold = type.startsWith('icontains') ? (text: string) => text.toLowerCase() : (text: string) => text;
  const within = fold(output);
  const has = (value: string | number) => within.includes(fold(String(value)));
  if (!type.includes('-')) {
    const value = String(assertion.value);
    if (value === '') return EMPTY;
    return { holds: has(value), saying: `contain ${quote(value)}` };
  }
  const list = listOf(assertion.value);
  if (list === undefined) return 'the value has a quote without an end';
  if (list.length === 0 || list.includes('')) return EMPTY;
  const isAll = type.endsWith('-all');
  const missing = list.filter((value) => !has(value));
  return {
    holds: isAll ? missing.length === 0 : missing.length < list.length,
    saying: isAll
      ? `contain all of ${quoteAll(list)}, and not ${quoteAll(missing)}`
      : `contain one of ${quoteAll(list)}`,
  };
}

function listOf(value: Containing['value']): readonly (string | number)[] | undefined {
  if (typeof value === 'string') return splitValues(value);
  return typeof value === 'number' ? [value] : value;
}

const DEFAULT_DISTANCE = 5;

function holdNear({ value, threshold = DEFAULT_DISTANCE }: AssertionOf<'levenshtein'>, output: string): Held {
  const holds = editDistance(output, value, threshold) <= threshold;
  return { holds, saying: `be within ${threshold} edits of ${quote(value)}` };
}

/** Values that the validator looks at are bounded by it. */
const NO_DEADLINE = (): void => undefined;

async function holdJson(
  { type, value: schema }: AssertionOf<'is-json' | 'contains-json'>,
  output: string,
  { validateJson }: Pick<AssertionPorts, 'validateJson'>,
): Promise<Held | string> {
  const isWhole = type.endsWith('is-json');
  const what = isWhole ? 'be JSON' : 'contain a JSON object';
  const parsed = isWhole ? toWhole(output) : findJsonObjects(output);
  if (schema === undefined) return { holds: parsed.length > 0, saying: what };
  for (const one of parsed) {
    const mismatch = await validateJson(schema, one, NO_DEADLINE);
    if (mismatch === undefined) return { holds: true, saying: `${what} of the schema` };
    if ('unchecked' in mismatch) return `the schema cannot be checked: ${UNCHECKED[mismatch.unchecked]}`;
  }
  return { holds: false, saying: `${what} of the schema` };
}

const UNCHECKED = { cost: 'it takes too much work', schema: 'it cannot be read' } as const;

function toWhole(output: string): readonly unknown[] {
  const parsed = parseJson(output);
  return parsed === undefined ? [] : [parsed];
}

function holdFigure(
  { type, threshold }: AssertionOf<'latency' | 'cost'>,
  { latencyMs, costMicrodollars }: TestedAnswer,
): Held | string {
  if (type.endsWith('latency')) {
    if (latencyMs === undefined) return 'the latency is unknown';
    return {
      holds: latencyMs <= threshold,
      saying: `take at most ${threshold} ms, and it took ${latencyMs} ms`,
    };
  }
  if (costMicrodollars === null) return 'the cost is unknown: a model has no price';
  const dollars = costMicrodollars / 1_000_000;
  return { holds: dollars <= threshold, saying: `cost at most $${threshold}, and it cost $${dollars}` };
}

const MAX_QUOTED = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

function quoteAll(values: readonly (string | number)[]): string {
  return values.map((value) => quote(String(value))).join(', ');
}
