// Asks a judge, which is a neuron, and reads its judgement.
import * as z from 'zod/mini';
import type { Judgement } from '../assertions/assertion.ts';
import { findJsonObjects } from '../assertions/find-json.ts';
import type { NeuronRun } from '../run/run-neuron.ts';

/** A judge that gave no judgement. Says nothing about the answer that it was to judge. */
export class JudgeFailure extends Error {}

const judgementSchema = z.looseObject({
  pass: z.boolean(),
  score: z.optional(z.number().check(z.gte(0), z.lte(1))),
  reason: z.optional(z.string()),
});

/** JSON, so that no answer can end itself and go on as the rubric. */
export function toJudgeInput(rubric: string, output: string): string {
  return JSON.stringify({ rubric, output });
}

/**
 * The judgement in the judge's answer. Throws `JudgeFailure`, also where it has several that differ: one may be a quotation of the answer that
 * it was to judge.
 */
export function readJudgement(run: NeuronRun): Judgement {
  if (run.kind === 'failed')
    throw new JudgeFailure(
      `the judge ended with ${run.code}${run.reason === undefined ? '' : ` (${run.reason})`}`,
    );
  const [first, ...others] = findJsonObjects(run.output).flatMap((one) => {
    const parsed = judgementSchema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  if (first === undefined)
    throw new JudgeFailure('the judge must answer { "pass": true or false, "score": 0 to 1, "reason": "…" }');
  if (others.some((other) => other.pass !== first.pass || other.score !== first.score))
    throw new JudgeFailure('the judge gave several judgements, which differ');
  const { pass, score = Number(pass), reason = pass ? 'passed' : 'the judge gave no reason' } = first;
  return { pass, score, reason };
}

/** Undefined for vectors that cannot be compared. */
export function cosineOf(one: Float32Array | undefined, other: Float32Array | undefined): number | undefined {
  if (one === undefined || other === undefined || one.length !== other.length) return undefined;
  let [dot, ofOne, ofOther] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? 0;
    dot += value * against;
    ofOne += value * value;
    ofOther += against * against;
  }
  const length = Math.sqrt(ofOne) * Math.sqrt(ofOther);
  return length === 0 ? undefined : dot / length;
}
