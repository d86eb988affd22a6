// Assesses an answer by all assertions of its case.
import type {
  Assertion,
  AssertionOf,
  AssertSet,
  SingleAssertion,
} from '../../settings/tests/assertion-schema.ts';
import type { TestCase } from '../../settings/tests/tests-schema.ts';
import { sum } from '../../text/numbers.ts';
import type { AssertionPorts, AssertionResult, AssertionVerdict, TestedAnswer } from './assertion.ts';
import { checkLocally } from './check.ts';
import { fillIn } from './fill-in.ts';

/** The outcome of a run: the mean of the scores by their weights. */
export interface Assessment {
  readonly pass: boolean;
  readonly score: number;
  readonly results: readonly AssertionResult[];
}

type AssessedCase = Pick<TestCase, 'assert' | 'threshold' | 'variables'>;

/** Throws where a model that judges gives no judgement. */
export async function assessAnswer(
  { assert = [], threshold, variables = {} }: AssessedCase,
  answer: TestedAnswer,
  ports: AssertionPorts,
): Promise<Assessment> {
  const results: AssertionResult[] = [];
  for (const one of assert) results.push(await assessOne(fillIn(one, variables), answer, ports));
  return { ...merge(results, threshold), results };
}

/** With a threshold the mean decides, but for what is critical; without, all of them must pass. */
function merge(
  results: readonly AssertionResult[],
  threshold: number | undefined,
): Pick<Assessment, 'pass' | 'score'> {
  const weight = sum(results.map((result) => result.weight));
  const score = sum(results.map((result) => result.score * result.weight)) / weight;
  const isCritical = results.some(({ pass, critical }) => !pass && critical === true);
  const pass = threshold === undefined ? results.every((result) => result.pass) : score >= threshold;
  return { pass: pass && !isCritical, score };
}

async function assessOne(
  assertion: Assertion,
  answer: TestedAnswer,
  ports: AssertionPorts,
): Promise<AssertionResult> {
  const { type, weight = 1, metric, critical } = assertion;
  const traits = {
    type,
    weight,
    ...(metric === undefined ? {} : { metric }),
    ...(critical === true ? { critical } : {}),
  };
  if (assertion.type !== 'assert-set')
    return { ...traits, ...(await assessSingle(assertion, answer, ports)) };
  return { ...traits, ...(await assessSet(assertion, answer, ports)) };
}

async function assessSet(
  { assert, threshold }: AssertSet,
  answer: TestedAnswer,
  ports: AssertionPorts,
): Promise<AssertionVerdict & { readonly parts: readonly AssertionResult[] }> {
  const parts: AssertionResult[] = [];
  for (const one of assert) parts.push(await assessOne(one, answer, ports));
  const merged = merge(parts, threshold);
  const failed = parts.filter(({ pass }) => !pass).map(({ reason }) => reason);
  return { ...merged, reason: merged.pass ? 'passed' : failed.join('; '), parts };
}

function assessSingle(
  assertion: SingleAssertion,
  answer: TestedAnswer,
  ports: AssertionPorts,
): Promise<AssertionVerdict> {
  switch (assertion.type) {
    case 'similar':
    case 'not-similar':
      return compare(assertion, answer, ports);
    case 'llm-rubric':
    case 'not-llm-rubric':
      return askJudge(assertion, answer, ports);
    default:
      return checkLocally(assertion, answer, ports);
  }
}

async function askJudge(
  { type, value, threshold }: AssertionOf<'llm-rubric'>,
  { output }: TestedAnswer,
  { judge }: AssertionPorts,
): Promise<AssertionVerdict> {
  const isInverse = type === 'not-llm-rubric';
  const { pass, score, reason } = await judge(value, output);
  const isPassed = pass && (threshold === undefined || score >= threshold);
  return { pass: isPassed !== isInverse, score: isInverse ? 1 - score : score, reason };
}

const DEFAULT_SIMILARITY = 0.75;

/** Like one of several texts; inverse: like none of them. */
async function compare(
  { type, value, threshold = DEFAULT_SIMILARITY }: AssertionOf<'similar'>,
  { output }: TestedAnswer,
  { similarity }: AssertionPorts,
): Promise<AssertionVerdict> {
  const isInverse = type === 'not-similar';
  let nearest = Number.NEGATIVE_INFINITY;
  for (const one of typeof value === 'string' ? [value] : value)
    nearest = Math.max(nearest, await similarity(one, output));
  const pass = isInverse ? nearest <= threshold + Number.EPSILON : nearest >= threshold - Number.EPSILON;
  const side = isInverse ? 'at most' : 'at least';
  return {
    pass,
    score: isInverse ? 1 - nearest : nearest,
    reason: pass
      ? 'passed'
      : `expected a similarity of ${side} ${threshold}, and it is ${nearest.toFixed(3)}`,
  };
}
