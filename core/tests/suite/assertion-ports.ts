// Lets assertions ask models, and counts what that costs.
import type { AssertionPorts } from '../assertions/assertion.ts';
import type { NeuronUse } from '../run/run-neuron.ts';
import type { CaseNeurons, OpenRun } from './case-neurons.ts';
import { cosineOf, JudgeFailure, readJudgement, toJudgeInput } from './judge.ts';
import type { RunOutcome } from './outcomes.ts';

interface JudgingContext extends Pick<AssertionPorts, 'validateJson'> {
  readonly open: OpenRun;
  readonly seed: string;
  readonly spent: Spent;
}

export function toAssertionPorts(neurons: CaseNeurons, context: JudgingContext): AssertionPorts {
  const { open, seed, spent, validateJson } = context;
  return {
    validateJson,
    async judge(rubric, output) {
      if (neurons.judge === undefined) throw new JudgeFailure('the tests name no judge');
      const body = { input: toJudgeInput(rubric, output) };
      const run = await neurons.judge({ body, username: undefined, seed: `${seed} judge` }, open);
      spent.add(run);
      return readJudgement(run);
    },
    async similarity(one, other) {
      if (neurons.embeddings === undefined) throw new JudgeFailure('the tests name no embeddings');
      const embedded = await neurons.embeddings([one, other], open);
      spent.add(embedded);
      if (embedded.failure !== undefined) throw embedded.failure;
      const [first, second] = embedded.vectors;
      const cosine = cosineOf(first, second);
      if (cosine === undefined) throw new JudgeFailure('the vectors cannot be compared');
      return cosine;
    },
  };
}

/** The use of a run and of those who judge it. */
export interface Spent {
  add(run: NeuronUse): void;
  totals(): Pick<RunOutcome, 'costMicrodollars' | 'tokensInput' | 'tokensOutput'>;
}

export function createSpent(first: NeuronUse): Spent {
  let { costMicrodollars, tokensInput, tokensOutput } = first;
  return {
    add(run) {
      const unknown = costMicrodollars === null || run.costMicrodollars === null;
      costMicrodollars = unknown ? null : (costMicrodollars ?? 0) + (run.costMicrodollars ?? 0);
      tokensInput += run.tokensInput;
      tokensOutput += run.tokensOutput;
    },
    totals: () => ({ costMicrodollars, tokensInput, tokensOutput }),
  };
}
