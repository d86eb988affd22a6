// Runs a flow step by step, until a step or the end of the list ends the run.

import { ServiceError, toServiceError } from '../contract/service-error.ts';
import { type Conversation, type EmbeddingWork, inputOf } from '../conversation/conversation.ts';
import { fillingsOf } from '../conversation/variables/variable-value.ts';
import { type Flow, MAX_STEPS, type Step } from '../settings/flow-schema.ts';
import { sum } from '../text/numbers.ts';
import { momentOf } from '../time/clock.ts';
import type { Deadline } from '../time/deadline.ts';
import { toIso } from '../time/iso.ts';
import {
  type FlowCaller,
  type FlowEnd,
  type FlowPorts,
  type FlowState,
  type ModelCallRecord,
  type RunStep,
  type StepContext,
  type StepOutcome,
  servedOutput,
  type TracedStep,
} from './step.ts';
import { STEPS, type StepTable } from './steps.ts';
import { servesText } from './stream-mode.ts';
import type { TemplateValues } from './template.ts';

export type { FlowPorts } from './step.ts';

export interface FlowContext {
  readonly conversation: Conversation;
  /** Only where vectors are asked for. */
  readonly embedding?: EmbeddingWork | undefined;
  readonly username: string | undefined;
  readonly executionId: string;
  /** A flow with a split by `stickyBy` fails without. */
  readonly caller?: FlowCaller | undefined;
  /** The deadline of the whole execution. */
  readonly deadline: Deadline;
}

/** The result of a run. Trace, model calls and tokens are there however it ended. */
export type FlowResult = FlowEnd & {
  readonly trace: readonly TracedStep[];
  readonly modelCalls: readonly ModelCallRecord[];
  readonly tokensInput: number;
  readonly tokensOutput: number;
  /** The sum of the calls' costs; null when one of them is unknown. */
  readonly costMicrodollars: number | null;
  /** Milliseconds spent waiting for providers. */
  readonly providerMs: number;
};

/** Never throws: the result holds the error of a failed run. */
export async function runFlow(
  flow: Flow,
  context: FlowContext,
  ports: FlowPorts,
  steps: StepTable = STEPS,
): Promise<FlowResult> {
  const started = momentOf(ports.clock);
  const trace: TracedStep[] = [];
  const modelCalls: ModelCallRecord[] = [];
  let state: FlowState = { system: undefined, output: undefined };
  let pending: readonly Step[] = flow;
  let end: FlowEnd | undefined;
  while (end === undefined) {
    const [step, ...rest] = pending;
    if (step === undefined) break;
    // A flow has no loop, so only one that was not validated is this long.
    if (trace.length === MAX_STEPS) {
      end = tooLong();
      break;
    }
    const atMs = ports.clock.monotonicMs() - started.monotonicMs;
    const values = toValues(context, state, started.epochMs);
    const { conversation, embedding, caller, deadline } = context;
    const outcome = await runStep(
      step,
      {
        conversation,
        embedding,
        caller,
        state,
        values,
        deadline,
        ports,
        servesText: (call) => servesText(call, rest),
      },
      steps,
    );
    trace.push({ type: nameOf(step), atMs, ...outcome.trace });
    modelCalls.push(...(outcome.modelCalls ?? []));
    state = { ...state, ...outcome.state };
    pending = outcome.next === undefined ? rest : [...outcome.next, ...rest];
    end = outcome.end;
  }
  return {
    // The end of the list serves the output.
    ...(end ?? servedOutput(state)),
    trace,
    modelCalls,
    ...sumOf(modelCalls),
  };
}

function tooLong(): FlowEnd {
  const reason = `the flow has more than ${MAX_STEPS} steps`;
  return { kind: 'failed', rejection: new ServiceError('configuration', { reason }) };
}

async function runStep(step: Step, context: StepContext, steps: StepTable): Promise<StepOutcome> {
  try {
    context.deadline.signal.throwIfAborted();
    const name = nameOf(step);
    const run: unknown = Object.hasOwn(steps, name) ? steps[name as keyof StepTable] : undefined;
    if (run === undefined) throw new ServiceError('configuration', { reason: `there is no step ${name}` });
    // The table pairs each name with its settings, which the compiler cannot follow through a union.
    return await (run as RunStep<unknown>)(Object.values(step)[0], context);
  } catch (thrown) {
    return { trace: {}, end: { kind: 'failed', rejection: toServiceError(thrown) } };
  }
}

function nameOf(step: Step): string {
  return Object.keys(step)[0] ?? '';
}

function toValues(context: FlowContext, state: FlowState, startedMs: number): TemplateValues {
  return {
    input: inputOf(context.conversation),
    output: state.output ?? '',
    username: context.username ?? '',
    'execution.id': context.executionId,
    // One moment for the whole run, so that two texts cannot disagree.
    now: toIso(startedMs),
    variables: fillingsOf(context.conversation.variables),
  };
}

function sumOf(calls: readonly ModelCallRecord[]) {
  return {
    tokensInput: sum(calls.map(({ tokensInput }) => tokensInput)),
    tokensOutput: sum(calls.map(({ tokensOutput }) => tokensOutput)),
    costMicrodollars: calls.reduce<number | null>(
      (total, { costMicrodollars: cost }) => (total === null || cost === null ? null : total + cost),
      0,
    ),
    providerMs: sum(calls.map(({ latencyMs }) => latencyMs)),
  };
}
