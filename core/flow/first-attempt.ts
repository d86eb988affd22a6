// Finds out what the first attempt of a run will ask for, before the run begins: limits reserve that much at admission.

import type { Spending } from '../limits/budget.ts';
import type { Random } from '../ports/platform.ts';
import type { CallModel, Flow } from '../settings/flow-schema.ts';
import { estimateAttempt } from './call-target.ts';
import { composeRequest } from './compose-request.ts';
import { type FlowContext, runFlow } from './run.ts';
import type { FlowPorts, RunStep } from './step.ts';
import { STEPS } from './steps.ts';

/** Chance that gives again what it gave before. */
interface RecordedChance {
  readonly random: Pick<Random, 'fraction'>;
  /** The same draws from the first on, and new ones after the last. */
  replay(): Pick<Random, 'fraction'>;
}

/** Records every draw of `random`. */
export function recordChance(random: Pick<Random, 'fraction'>): RecordedChance {
  const drawn: number[] = [];
  return {
    random: {
      fraction() {
        const fraction = random.fraction();
        drawn.push(fraction);
        return fraction;
      },
    },
    replay() {
      const left = drawn.values();
      return { fraction: () => left.next().value ?? random.fraction() };
    },
  };
}

/**
 * Runs the flow up to its first model call and asks no model: the most that its first attempt can come to, or undefined where it
 * reaches none. The run itself comes to the same call with the same chance.
 */
export async function estimateFirstAttempt(
  flow: Flow,
  context: FlowContext,
  ports: FlowPorts,
): Promise<Spending | undefined> {
  let first: Spending | undefined;
  const callModel: RunStep<CallModel> = (settings, step) => {
    first = estimateAttempt(settings.provider, composeRequest(settings, step), ports);
    return { trace: {}, end: { kind: 'done', output: undefined, stopped: true } };
  };
  await runFlow(flow, context, ports, { ...STEPS, callModel });
  return first;
}
