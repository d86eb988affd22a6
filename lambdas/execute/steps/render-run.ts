// Renders the answer of a run, or of the cache, as far as its caller may see it, and makes it the outcome of the request.
import { rejectTooLarge, toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { AssistantBlock, PassedAnswer, ToolCall } from '../../../core/conversation/conversation.ts';
import type { FlowResult } from '../../../core/flow/run.ts';
import type { TokenUsage } from '../../../core/ports/providers.ts';
import { hasOutputSchema } from '../../../core/settings/walk-flow.ts';
import { withToken } from '../../../core/surfaces/headers.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Answer, AnswerDetail, Receipt, RunResult, Surface } from '../../../core/surfaces/surface.ts';
import { sum } from '../../../core/text/numbers.ts';
import type { ExecutionPorts, Outcome, ReadyCall } from '../run.ts';
import { modelCallsOf } from './facts.ts';

/** A run as its caller may see it. */
export interface RunView {
  readonly surface: Surface;
  readonly result: RunResult;
  readonly detail: AnswerDetail;
}

/** As the caller gets it: with its own values in the place of their placeholders. */
export function restoreView(view: RunView, { guards }: Pick<ReadyCall, 'guards'>): RunView {
  return guards === undefined ? view : { ...view, result: guards.restoreResult(view.result) };
}

/** As its idempotency key keeps it. */
export function keptView(
  view: RunView,
  { guards, invocation }: Pick<ReadyCall, 'guards' | 'invocation'>,
): RunView {
  if (guards === undefined) return view;
  return {
    ...view,
    result: guards.keepPlaceholders(view.result),
    detail: { ...view.detail, invocation },
  };
}

/** With masks. Throws the error of a run that failed, and `malformed_tool_call` where its surface has no form for a call. */
export function viewOf(call: ReadyCall, result: FlowResult | undefined): RunView {
  const { lookup, request } = call;
  const { output, toolCalls, blocks, reasoningText, passed, stopped, vectors } = outputOf(lookup, result);
  // A message that is passed on has the provider's own form.
  if (passed === undefined) requireReadable(toolCalls, surfaceOf(request.surface));
  const calls = modelCallsOf({
    lookup,
    result,
    ...(call.guards === undefined ? {} : { guards: call.guards }),
  });
  return {
    surface: surfaceOf(request.surface),
    result: {
      output,
      toolCalls,
      blocks,
      reasoningText,
      passed,
      vectors,
      executionStopped: stopped,
      cache: lookup.result,
      ...(hasOutputSchema(call.version.flow) ? { isStructured: true } : {}),
      isCut: calls.at(-1)?.finish === 'length',
      usage: toUsage(calls),
    },
    detail: detailOf(call, calls),
  };
}

function requireReadable(toolCalls: readonly ToolCall[] = [], surface: Surface): void {
  if (toolCalls.some((call) => !canRender(call, surface))) throw new ServiceError('malformed_tool_call');
}

/** False for a call whose arguments are a text, where its surface has objects only. */
export function canRender(call: ToolCall, { takesArgumentText }: Surface): boolean {
  return takesArgumentText || typeof call.arguments !== 'string';
}

/** Throws while the log can still say so, where Lambda would not carry the answer. */
export function toOutcome(
  view: RunView,
  call: ReadyCall,
  render: (view: RunView) => Answer,
  { transferMode }: Pick<ExecutionPorts, 'transferMode'>,
): Outcome {
  const answer = render(restoreView(view, call));
  if (transferMode === 'BUFFERED') rejectTooLarge(toProxyResult(answer));
  return {
    kind: 'run',
    answer: () => answer,
    ...(call.guards === undefined ? {} : { stored: () => render(keptView(view, call)) }),
  };
}

export function renderRun({ surface, result, detail }: RunView): Answer {
  return withToken(surface.renderAnswer(result, detail), detail);
}

/** The facts that an answer shows. Its figures are the sums of `calls`: before the end of a run there are none. */
export function detailOf(call: ReadyCall, calls: FlowResult['modelCalls'] = []): AnswerDetail {
  return {
    executionId: call.request.executionId,
    timeMs: call.request.timeMs,
    invocation: call.guards?.restoreRepeated(call.invocation) ?? call.invocation,
    isCached: call.lookup.found !== undefined,
    leftOut: call.leftOut.names(),
    feedbackToken: call.feedbackToken,
    receipt: maySeeReceipt(call) ? toReceipt(calls) : undefined,
    rateLimit: call.budget.rateLimit(),
  };
}

interface Output {
  readonly output: string | undefined;
  readonly toolCalls?: readonly ToolCall[];
  readonly blocks?: readonly AssistantBlock[] | undefined;
  readonly reasoningText?: string | undefined;
  readonly passed?: PassedAnswer | undefined;
  readonly vectors?: readonly Float32Array[] | undefined;
  readonly stopped: boolean;
}

function outputOf({ found, vectors }: ReadyCall['lookup'], result: FlowResult | undefined): Output {
  if (result?.kind === 'failed') throw result.rejection;
  // Only answers that were not stopped are ever stored.
  return result ?? { output: found?.output, stopped: false, vectors: vectors?.flatMap((one) => one ?? []) };
}

/** Figures are for those who pay: callers with an API key, or everyone where the neuron says so. */
function maySeeReceipt({ admission, settings }: ReadyCall): boolean {
  return admission.authentication === 'apiKey' || settings.neuron.receipt === true;
}

function toUsage(calls: FlowResult['modelCalls']): TokenUsage {
  return {
    input: sum(calls.map(({ tokensInput }) => tokensInput)),
    output: sum(calls.map(({ tokensOutput }) => tokensOutput)),
    cachedInput: sum(calls.map(({ tokensCacheRead = 0 }) => tokensCacheRead)),
    cacheWrite: sum(calls.map(({ tokensCacheWrite = 0 }) => tokensCacheWrite)),
    cacheWrite1h: sum(calls.map(({ tokensCacheWrite1h = 0 }) => tokensCacheWrite1h)),
    reasoning: sum(calls.map(({ tokensReasoning = 0 }) => tokensReasoning)),
  };
}

function toReceipt(calls: FlowResult['modelCalls']): Receipt {
  const { input, output } = toUsage(calls);
  const costs = calls.flatMap(({ costMicrodollars }) => costMicrodollars ?? []);
  return {
    costMicrodollars: costs.length === calls.length ? sum(costs) : undefined,
    tokensInput: input,
    tokensOutput: output,
  };
}
