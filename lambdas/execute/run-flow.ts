// Runs the flow of the version that was found and renders the answer: the handler at the end of the chain.
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import type { UsableSettings } from '../../core/config/usable-settings.ts';
import { type Receipt, renderAnswer } from '../../core/contract/answer.ts';
import type { CircuitRegistry } from '../../core/flow/circuit-breaker.ts';
import { type FlowContext, type FlowResult, runFlow as run } from '../../core/flow/run.ts';
import type { FlowPorts } from '../../core/flow/step.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { Clock, Random } from '../../core/ports/platform.ts';
import { costOfUsage } from '../../core/pricing/cost.ts';
import { findPrice } from '../../core/pricing/find-price.ts';
import { type Run, required } from './run.ts';

/** What running a flow needs. */
export interface RunFlowPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly circuits: CircuitRegistry;
  /** The lookup of an organization's providers. */
  readonly providersOf: (settings: UsableSettings) => FlowPorts['findProvider'];
}

/** Runs the flow once and answers; throws the refusal of a run that failed, its trace kept on the record. */
export async function runFlow(record: Run, ports: RunFlowPorts) {
  const settings = required(record.settings, 'settings');
  const { rawOutput } = required(record.invocation, 'invocation');
  const budget = required(record.budget, 'budget');
  const { executionId } = record.request;
  const result = await run(
    required(record.version, 'version').flow,
    toFlowContext(record),
    toFlowPorts(settings, { ...ports, random: record.random ?? ports.random }, budget),
  );
  record.result = result;
  if (result.kind === 'failed') throw result.refusal;
  return toProxyResult(
    renderAnswer(
      { output: result.output, executionStopped: result.stopped, cache: 'off' },
      {
        executionId,
        rawOutput,
        receipt: maySeeReceipt(record) ? toReceipt(result) : undefined,
        rateLimit: budget.rateLimit(),
      },
    ),
  );
}

/** What the run is about. */
export function toFlowContext(record: Run): FlowContext {
  return {
    input: required(record.invocation, 'invocation').input,
    username: required(record.admission, 'admission').username,
    executionId: record.request.executionId,
    deadline: required(record.deadline, 'deadline'),
  };
}

/** What the run reaches the outside through; no attempt is made without the budget's leave. */
export function toFlowPorts(
  settings: UsableSettings,
  ports: Omit<RunFlowPorts, 'random'> & Pick<FlowPorts, 'random'>,
  budget: Budget,
): FlowPorts {
  const { organization, organizationId } = settings;
  return {
    clock: ports.clock,
    random: ports.random,
    breakers: ports.circuits.within(organizationId),
    findProvider: ports.providersOf(settings),
    reserve: budget.reserveAttempt,
    costOf(provider, model, usage) {
      const price = findPrice(organization, provider, model);
      return price === undefined ? null : costOfUsage(usage, price);
    },
  };
}

/** Figures are for those who pay: callers with an API key, or everyone where the neuron says so. */
function maySeeReceipt({ admission, settings }: Run): boolean {
  return admission?.authentication === 'apiKey' || settings?.neuron.receipt === true;
}

function toReceipt({ costMicrodollars, tokensInput, tokensOutput }: FlowResult): Receipt {
  return { costMicrodollars: costMicrodollars ?? undefined, tokensInput, tokensOutput };
}
