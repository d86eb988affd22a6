// Runs a neuron in this process: the flow that the function runs, behind the same guards. Access, limits, cache and log are left out.
import { type ServiceError, toServiceError } from '../../contract/service-error.ts';
import { argumentsObject } from '../../conversation/tool-arguments.ts';
import { type FlowResult, runFlow } from '../../flow/run.ts';
import { fillModel } from '../../settings/names/fill-model.ts';
import type { JsonObject } from '../../text/json.ts';
import { type Deadline, startDeadline } from '../../time/deadline.ts';
import { toExecutionId } from './execution-id.ts';
import { readRequest } from './read-request.ts';
import { guardRun } from './run-guards.ts';
import { openFlowPorts, type RunPorts } from './run-ports.ts';
import { openServicePorts } from './service-ports.ts';
import { type TestedNeuron, toCaller } from './tested-neuron.ts';

/** One call of a neuron. */
export interface RunRequest {
  /** A body of the service's own form: `input` or `messages`, and the rest. */
  readonly body: JsonObject;
  readonly username: string | undefined;
  /** Makes random choices and ids of this run its own, and the same each time. */
  readonly seed: string;
}

/** How a run ended. */
export type RunEnd =
  | { readonly kind: 'done'; readonly output: string }
  | {
      readonly kind: 'failed';
      /** An error code of the service. */
      readonly code: string;
      readonly reason: string | undefined;
    };

/** Cost and tokens of a run. */
export interface NeuronUse {
  /** Integer microdollars; null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
}

export type NeuronRun = RunEnd & NeuronUse & { readonly latencyMs: number | undefined };

export const NOTHING_USED: NeuronUse = { costMicrodollars: 0, tokensInput: 0, tokensOutput: 0 };

/** Never rejects: a run that fails ends with its code. */
export async function runNeuron(
  neuron: TestedNeuron,
  request: RunRequest,
  ports: RunPorts,
): Promise<NeuronRun> {
  const deadline = startDeadline(ports.clock, neuron.settings.deadline);
  try {
    const { end, result } = await run(neuron, request, deadline, ports);
    const { costMicrodollars, tokensInput, tokensOutput } = result ?? NOTHING_USED;
    return { ...end, latencyMs: ports.clock.monotonicMs(), costMicrodollars, tokensInput, tokensOutput };
  } catch (thrown) {
    return { ...toFailure(toServiceError(thrown)), latencyMs: ports.clock.monotonicMs(), ...NOTHING_USED };
  } finally {
    deadline.end();
  }
}

interface EndedFlow {
  readonly end: RunEnd;
  readonly result?: FlowResult;
}

async function run(
  neuron: TestedNeuron,
  { body, username, seed }: RunRequest,
  deadline: Deadline,
  ports: RunPorts,
): Promise<EndedFlow> {
  const parsed = readRequest(body, neuron);
  const services = openServicePorts(neuron, deadline, ports);
  const { guards, invocation, blockedText } = await guardRun(neuron, parsed, services);
  if (blockedText !== undefined) return { end: { kind: 'done', output: blockedText } };
  const context = {
    conversation: invocation.conversation,
    username,
    executionId: toExecutionId(seed),
    caller: toCaller(neuron, username, seed),
    deadline,
  };
  const flowPorts = {
    ...openFlowPorts(neuron, seed, ports),
    ...(guards === undefined ? {} : { guards: guards.answers }),
  };
  const flow = fillModel(neuron.flow, neuron.name.split('/')[1] ?? '');
  const result = await runFlow(flow, context, flowPorts);
  // Guards that only flag are asked beside the run.
  await guards?.services?.ended();
  if (result.kind === 'failed') return { end: toFailure(result.rejection), result };
  const restored =
    guards?.restoreResult({ ...result, executionStopped: result.stopped, cache: 'bypass' }) ?? result;
  return { end: { kind: 'done', output: toText(restored) }, result };
}

function toFailure({ code, reason, detail }: ServiceError): Extract<RunEnd, { kind: 'failed' }> {
  return { kind: 'failed', code, reason: detail ?? reason };
}

/** The text of the answer; calls of tools as JSON where there is none. */
function toText({
  output = '',
  toolCalls = [],
}: {
  readonly output?: string | undefined;
  readonly toolCalls?:
    | readonly { readonly name: string; readonly arguments: JsonObject | string }[]
    | undefined;
}): string {
  if (output !== '' || toolCalls.length === 0) return output;
  const calls = toolCalls.map(({ name, arguments: args }) => ({ name, arguments: argumentsObject(args) }));
  return JSON.stringify({ toolCalls: calls });
}
