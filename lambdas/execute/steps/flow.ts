// Runs the flow of a call, with what it reaches the outside through; the estimate of its first attempt uses the same.
import { nameInEndUsername } from '../../../core/contract/end-username.ts';
import { toAttemptTraceparent } from '../../../core/contract/traceparent.ts';
import type { EmbeddingWork } from '../../../core/conversation/conversation.ts';
import { type FlowContext, type FlowResult, runFlow } from '../../../core/flow/run.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import { costOfUsage, findPrice } from '../../../core/pricing/cost.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import { digestOfParts } from '../../../core/text/digest.ts';
import type { Call, ExecutionPorts, ReadyCall } from '../run.ts';

/** 128 bits. Under such a name thoughts leave and come back (`core/flow/thoughts.ts`); it has nothing to do with the log's seals. */
const THOUGHT_SEAL_LENGTH = 32;

export type FlowRunPorts = Pick<
  ExecutionPorts,
  'clock' | 'random' | 'circuits' | 'validateJson' | 'providersOf'
>;

/** Runs the flow once; undefined where the cache has the answer. A failure is a result. */
export async function runCall(
  call: ReadyCall,
  streaming: Pick<FlowPorts, 'sink'> = {},
): Promise<FlowResult | undefined> {
  if (call.lookup.found !== undefined) return undefined;
  if (call.blockedText !== undefined) return stoppedBefore(call.blockedText);
  const context = toFlowContext(call, call.lookup.vectors);
  return runFlow(call.version.flow, context, { ...call.flowPorts, ...streaming });
}

/** The result of a run that a guard stopped before its first step. */
function stoppedBefore(output: string): FlowResult {
  const usage = { tokensInput: 0, tokensOutput: 0, costMicrodollars: 0, providerMs: 0 };
  return { kind: 'done', output, stopped: true, trace: [], modelCalls: [], ...usage };
}

export function toFlowContext(
  { invocation, admission, request, deadline }: Call,
  cached: EmbeddingWork['cached'] = [],
): FlowContext {
  const { conversation, embedding } = invocation;
  const { organization, neuron, sourceIp, executionId } = request;
  const { username, keyId } = admission;
  return {
    conversation,
    ...(embedding === undefined ? {} : { embedding: { wish: embedding, cached } }),
    username: username && nameInEndUsername(username),
    executionId,
    caller: { neuron: `${organization}/${neuron}`, username, keyId, sourceIp, executionId },
    deadline,
  };
}

/** The outside as a run reaches it; no attempt is made that the budget has no room for. */
export function toFlowPorts(
  { settings, request, guards }: Call,
  budget: Budget,
  ports: FlowRunPorts,
): FlowPorts {
  return {
    clock: ports.clock,
    random: ports.random,
    breakers: ports.circuits.within(settings.neuronId),
    findProvider: ports.providersOf(settings),
    reserveAttempt: budget.reserveAttempt,
    validateJson: ports.validateJson,
    sealOf: (provider) =>
      digestOfParts(['thoughts 1', settings.neuronId, provider]).slice(0, THOUGHT_SEAL_LENGTH),
    costOf: toCostOf(settings),
    ...toTracing(request),
    ...(guards === undefined ? {} : { guards: guards.answers }),
  };
}

/** Each attempt of the run is a span of its own in the caller's trace. */
function toTracing({ traceparent, executionId }: Call['request']): Pick<FlowPorts, 'nextTraceparent'> {
  if (traceparent === undefined) return {};
  let attempts = 0;
  return {
    nextTraceparent() {
      attempts += 1;
      return toAttemptTraceparent(traceparent, executionId, attempts - 1);
    },
  };
}

/** Prices of one organization's models. Null for a model without a price: the cost is unknown, which is not zero. */
export function toCostOf({ organization }: UsableSettings): FlowPorts['costOf'] {
  return (provider, model, usage) => {
    const price = findPrice(organization, provider, model);
    return price === undefined ? null : costOfUsage(usage, price);
  };
}
