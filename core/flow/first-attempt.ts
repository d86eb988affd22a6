// Estimates the first attempt of a run before the run begins: limits reserve that much at admission.

import type { Spending } from '../limits/budget.ts';
import type { Random } from '../ports/platform.ts';
import type { ModelRequest } from '../ports/providers.ts';
import { drawTargets } from '../settings/call-targets.ts';
import type { CallModel, EmbedStep, Flow } from '../settings/flow-schema.ts';
import { requireWork, toEmbedRequest } from './embeddings/embed-request.ts';
import { forTarget } from './request/compose-parameters.ts';
import { composeRequest } from './request/compose-request.ts';
import { type FlowContext, runFlow } from './run.ts';
import type { FlowPorts, RunStep } from './step.ts';
import { STEPS } from './steps.ts';
import { estimateAttempt } from './target-attempt.ts';

/** Random numbers that can be replayed. */
interface RecordedRandom {
  readonly random: Pick<Random, 'fraction'>;
  /** The same numbers from the first on, and new ones after the last. */
  replay(): Pick<Random, 'fraction'>;
}

export function recordRandom(random: Pick<Random, 'fraction'>): RecordedRandom {
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
 * Runs the flow up to its first model call without calling a model: the maximum that its first attempt can spend, or undefined when it
 * reaches none. With the same random numbers the run itself reaches the same call.
 */
export async function estimateFirstAttempt(
  flow: Flow,
  context: FlowContext,
  ports: FlowPorts,
): Promise<Spending | undefined> {
  let first: Spending | undefined;
  const callModel = stopAtCall((provider, request) => {
    first = estimateAttempt(provider, request, ports);
  });
  const embed: RunStep<EmbedStep> = (settings, step) => {
    const { inputs } = requireWork(step).wish;
    first = estimateAttempt(settings.provider, toEmbedRequest(settings, inputs), ports);
    return { trace: {}, end: STOPPED };
  };
  await runFlow(flow, context, ports, { ...STEPS, callModel, embed });
  return first;
}

/** The request of the first call of a model that the run makes, found in the same way; undefined where it makes none. */
export async function composeFirstRequest(
  flow: Flow,
  context: FlowContext,
  ports: FlowPorts,
): Promise<SentRequest | undefined> {
  let first: SentRequest | undefined;
  const callModel = stopAtCall((_provider, request) => {
    first = request;
  });
  const embed: RunStep<EmbedStep> = () => ({ trace: {}, end: STOPPED });
  const result = await runFlow(flow, context, ports, { ...STEPS, callModel, embed });
  if (result.kind === 'failed') throw result.rejection;
  return first;
}

type SentRequest = Omit<ModelRequest, 'signal'>;

const STOPPED = { kind: 'done', output: undefined, stopped: true } as const;

/** A step that calls no model, and tells what it would have sent. */
function stopAtCall(take: (provider: string, request: SentRequest) => void): RunStep<CallModel> {
  return (settings, step) => {
    const [target] = drawTargets(settings, step.ports.random);
    if (target !== undefined) {
      const request = composeRequest(settings, step, target.model);
      take(target.provider, forTarget(request, settings, target, step.ports));
    }
    return { trace: {}, end: STOPPED };
  };
}
