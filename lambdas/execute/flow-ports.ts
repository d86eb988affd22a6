// What a flow of one organization runs with; the estimate of its first attempt uses the same.
import { toAttemptTraceparent } from '../../core/contract/traceparent.ts';
import type { CircuitRegistry } from '../../core/flow/circuit-breaker.ts';
import type { FlowContext } from '../../core/flow/run.ts';
import type { FlowPorts } from '../../core/flow/step.ts';
import { costOfUsage } from '../../core/pricing/cost.ts';
import { findPrice } from '../../core/pricing/find-price.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { BudgetedRun } from './run.ts';

/** What running a flow needs. */
export interface ExecutePorts {
  readonly clock: FlowPorts['clock'];
  readonly circuits: CircuitRegistry;
  readonly validateJson: FlowPorts['validateJson'];
  /** The lookup of an organization's providers. */
  readonly providersOf: (settings: UsableSettings) => FlowPorts['findProvider'];
}

/** What the run is about. */
export function toFlowContext({ invocation, admission, request, deadline }: BudgetedRun): FlowContext {
  return {
    conversation: invocation.conversation,
    username: admission.username,
    executionId: request.executionId,
    deadline,
  };
}

/** What the run reaches the outside through; it makes no attempt that the budget has no room for. */
export function toFlowPorts(
  { settings, budget, request }: BudgetedRun,
  random: FlowPorts['random'],
  ports: ExecutePorts,
): FlowPorts {
  return {
    clock: ports.clock,
    random,
    breakers: ports.circuits.within(settings.neuronId),
    findProvider: ports.providersOf(settings),
    reserve: budget.reserveAttempt,
    validateJson: ports.validateJson,
    costOf: toCostOf(settings),
    ...toTracing(request),
  };
}

/** Each attempt of the run is a span of its own in the caller's trace. */
function toTracing({ traceparent, executionId }: BudgetedRun['request']): Pick<FlowPorts, 'nextTraceparent'> {
  if (traceparent === undefined) return {};
  let attempts = 0;
  return {
    nextTraceparent() {
      attempts += 1;
      return toAttemptTraceparent(traceparent, executionId, attempts - 1);
    },
  };
}

/** What the models of one organization cost. Null for a model without a price: the cost is unknown, which is not zero. */
export function toCostOf({ organization }: UsableSettings): FlowPorts['costOf'] {
  return (provider, model, usage) => {
    const price = findPrice(organization, provider, model);
    return price === undefined ? null : costOfUsage(usage, price);
  };
}
