// Runs a neuron in this process: the flow that the function runs, behind the same guards. Access, limits, cache and log are left out.
import { ServiceError, toServiceError } from '../../contract/service-error.ts';
import { argumentsObject } from '../../conversation/tool-arguments.ts';
import { type FlowResult, runFlow } from '../../flow/run.ts';
import { fillModel } from '../../settings/names/fill-model.ts';
import { parseInvocation } from '../../surfaces/native/parse.ts';
import { digestOfParts } from '../../text/digest.ts';
import type { JsonObject } from '../../text/json.ts';
import { type Deadline, startDeadline } from '../../time/deadline.ts';
import { guardRun } from './run-guards.ts';
import { openFlowPorts, openServicePorts, type RunPorts } from './run-ports.ts';
import type { TestedNeuron } from './tested-neuron.ts';

/** One call of a neuron. */
export interface RunRequest {
  /** A body of the service's own form: `input` or `messages`, and the rest. */
  readonly body: JsonObject;
  readonly username: string | undefined;
  /** Makes random choices and ids of this run its own, and the same each time. */
  readonly seed: string;
}

/** What a run came to. */
export type RunEnd =
  | { readonly kind: 'done'; readonly output: string }
  | {
      readonly kind: 'failed';
      /** An error code of the service. */
      readonly code: string;
      readonly reason: string | undefined;
    };

export type NeuronRun = RunEnd & {
  readonly latencyMs: number | undefined;
  /** Integer microdollars; null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
};

const NOTHING_USED = { costMicrodollars: 0, tokensInput: 0, tokensOutput: 0 } as const;

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
  const unparsed = { body: JSON.stringify(body), bypassCache: [], rawOutput: [], accept: [] };
  const parsed = parseInvocation(unparsed, neuron.settings.maxInputBytes);
  rejectLeftOut(parsed.leftOut ?? []);
  const services = openServicePorts(neuron, deadline, ports);
  const { guards, invocation, blockedText } = await guardRun(neuron, parsed, services);
  if (blockedText !== undefined) return { end: { kind: 'done', output: blockedText } };
  const context = {
    conversation: invocation.conversation,
    username,
    executionId: toExecutionId(seed),
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

/** A test of a member that the neuron never sees would test nothing. */
function rejectLeftOut(leftOut: readonly string[]): void {
  const [first] = leftOut;
  if (first === undefined) return;
  throw new ServiceError('invalid_input', { detail: `"${first}" is no member of a request here.` });
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

/** In the form of those that requests have. */
function toExecutionId(seed: string): string {
  const digits = digestOfParts(['execution of a test', seed]);
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}

/** The vectors of texts, by a neuron that answers embeddings. Throws what ends its run. */
export async function embedTexts(
  neuron: TestedNeuron,
  inputs: readonly string[],
  ports: RunPorts,
): Promise<readonly Float32Array[]> {
  const deadline = startDeadline(ports.clock, neuron.settings.deadline);
  try {
    const wish = { inputs, isSingle: false, dimensions: undefined };
    const context = {
      conversation: { system: [], messages: [], tools: [], parameters: {} },
      embedding: { wish, cached: [] },
      username: undefined,
      executionId: toExecutionId('embeddings'),
      deadline,
    };
    const result = await runFlow(neuron.flow, context, openFlowPorts(neuron, 'embeddings', ports));
    if (result.kind === 'failed') throw result.rejection;
    return result.vectors ?? [];
  } finally {
    deadline.end();
  }
}
