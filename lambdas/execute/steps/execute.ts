// Runs the flow, unless the answer came from the cache, and renders the answer.
import type { APIGatewayProxyResult } from 'aws-lambda';
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import type { LoggedModelCall } from '../../../core/contract/log-entry.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { ToolCall } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import { SURFACES } from '../../../core/surfaces/registry.ts';
import type { AnswerDetail, Receipt, RunResult } from '../../../core/surfaces/surface.ts';
import { type ExecutePorts, toFlowContext, toFlowPorts } from '../flow-ports.ts';
import { type ExecutedRun, type LookedUpRun, modelCallsOf } from '../run.ts';

/** The largest result of a function that is not streamed, in bytes (AWS Lambda quotas, invocation payload, synchronous). */
const MAX_BYTES = 6 * 1024 * 1024;

/** Runs the flow once, where nothing was found in the cache. */
export async function execute(
  run: LookedUpRun,
  ports: ExecutePorts,
  streaming: Pick<FlowPorts, 'sink' | 'onAttempt'> = {},
): Promise<ExecutedRun> {
  if (run.lookup.found !== undefined) return { ...run, result: undefined };
  const flowPorts = { ...toFlowPorts(run, run.random, ports), ...streaming };
  return { ...run, result: await runFlow(run.version.flow, toFlowContext(run), flowPorts) };
}

/** The answer. Throws the error of a run that failed. */
export function renderRun(run: ExecutedRun): APIGatewayProxyResult {
  const { surface } = run.request;
  return toProxyResult(SURFACES[surface].renderAnswer(resultOf(run), detailOf(run, modelCallsOf(run))));
}

/** What the answer is rendered with. The figures are those of `calls`: before the end of a run there are none. */
export function detailOf(run: LookedUpRun, calls: readonly LoggedModelCall[]): AnswerDetail {
  return {
    executionId: run.request.executionId,
    timeMs: run.request.timeMs,
    invocation: run.invocation,
    receipt: maySeeReceipt(run) ? toReceipt(calls) : undefined,
    rateLimit: run.budget.rateLimit(),
  };
}

/** What the run or the cache gave, as far as a caller may see it. Throws the error of a run that failed. */
export function resultOf(run: ExecutedRun): RunResult {
  const { output, toolCalls, stopped } = outputOf(run);
  const calls = modelCallsOf(run);
  const { tokensInput, tokensOutput } = toReceipt(calls);
  return {
    output,
    toolCalls,
    executionStopped: stopped,
    cache: run.lookup.result,
    isCut: calls.at(-1)?.finish === 'length',
    usage: { input: tokensInput, output: tokensOutput },
  };
}

/**
 * Throws 500 `internal`: Lambda would put an error of its own in the place of such a result, and the log would hold a success
 * that nobody got.
 */
export function rejectTooLarge(result: APIGatewayProxyResult): void {
  // Escaped as JSON, a character takes six bytes at most.
  if (result.body.length * 6 < MAX_BYTES / 2) return;
  const bytes = new TextEncoder().encode(JSON.stringify(result)).byteLength;
  if (bytes <= MAX_BYTES) return;
  throw new ServiceError('internal', {
    reason: `the answer takes ${bytes} bytes, more than BUFFERED transfer carries`,
  });
}

interface Output {
  readonly output: string | undefined;
  readonly toolCalls?: readonly ToolCall[];
  readonly stopped: boolean;
}

function outputOf({ lookup, result }: ExecutedRun): Output {
  if (result?.kind === 'failed') throw result.rejection;
  // Only what was not stopped is ever stored.
  return result ?? { output: lookup.found?.output, stopped: false };
}

/** Figures are for those who pay: callers with an API key, or everyone where the neuron says so. */
export function maySeeReceipt({ admission, settings }: LookedUpRun): boolean {
  return admission.authentication === 'apiKey' || settings.neuron.receipt === true;
}

/** The sums of a run's calls. */
export function toReceipt(calls: readonly LoggedModelCall[]): Receipt {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const costs = calls.flatMap(({ costMicrodollars }) => costMicrodollars ?? []);
  return {
    costMicrodollars: costs.length === calls.length ? sum(costs) : undefined,
    tokensInput: sum(calls.map(({ tokensInput }) => tokensInput)),
    tokensOutput: sum(calls.map(({ tokensOutput }) => tokensOutput)),
  };
}
