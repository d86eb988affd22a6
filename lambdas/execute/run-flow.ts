// Runs the flow of the version that was found and renders the answer: the handler at the end of the chain.
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import { type Receipt, renderAnswer } from '../../core/contract/answer.ts';
import type { LoggedModelCall } from '../../core/contract/log-entry.ts';
import type { CircuitRegistry } from '../../core/flow/circuit-breaker.ts';
import { type FlowContext, runFlow as run } from '../../core/flow/run.ts';
import type { FlowPorts } from '../../core/flow/step.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { Random } from '../../core/ports/platform.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import { toCostOf } from './cost-of.ts';
import { modelCallsOf } from './model-calls.ts';
import { type Run, required } from './run.ts';

/** What running a flow needs. */
export interface RunFlowPorts {
  readonly clock: FlowPorts['clock'];
  readonly random: Random;
  readonly circuits: CircuitRegistry;
  /** The lookup of an organization's providers. */
  readonly providersOf: (settings: UsableSettings) => FlowPorts['findProvider'];
}

/** Answers from the cache, or runs the flow once and answers; throws the refusal of a run that failed, its trace kept on the record. */
export async function runFlow(record: Run, ports: RunFlowPorts) {
  const { rawOutput } = required(record.invocation, 'invocation');
  const { output, stopped } = cachedOutput(record) ?? (await runOnce(record, ports));
  return toProxyResult(
    renderAnswer(
      { output, executionStopped: stopped, cache: record.lookup?.result ?? 'off' },
      {
        executionId: record.request.executionId,
        rawOutput,
        receipt: maySeeReceipt(record) ? toReceipt(modelCallsOf(record)) : undefined,
        rateLimit: record.budget?.rateLimit(),
      },
    ),
  );
}

interface Output {
  readonly output: string | undefined;
  readonly stopped: boolean;
}

/** Only what was not stopped is ever stored. */
function cachedOutput({ lookup }: Run): Output | undefined {
  return lookup?.found === undefined ? undefined : { output: lookup.found.output, stopped: false };
}

async function runOnce(record: Run, ports: RunFlowPorts): Promise<Output> {
  const settings = required(record.settings, 'settings');
  const budget = required(record.budget, 'budget');
  const result = await run(
    required(record.version, 'version').flow,
    toFlowContext(record),
    toFlowPorts(settings, { ...ports, random: record.random ?? ports.random }, budget),
  );
  record.result = result;
  if (result.kind === 'failed') throw result.refusal;
  return result;
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
  return {
    clock: ports.clock,
    random: ports.random,
    breakers: ports.circuits.within(settings.organizationId),
    findProvider: ports.providersOf(settings),
    reserve: budget.reserveAttempt,
    costOf: toCostOf(settings),
  };
}

/** Figures are for those who pay: callers with an API key, or everyone where the neuron says so. */
function maySeeReceipt({ admission, settings }: Run): boolean {
  return admission?.authentication === 'apiKey' || settings?.neuron.receipt === true;
}

function toReceipt(calls: readonly LoggedModelCall[]): Receipt {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const costs = calls.flatMap(({ costMicrodollars }) => costMicrodollars ?? []);
  return {
    costMicrodollars: costs.length === calls.length ? sum(costs) : undefined,
    tokensInput: sum(calls.map(({ tokensInput }) => tokensInput)),
    tokensOutput: sum(calls.map(({ tokensOutput }) => tokensOutput)),
  };
}
