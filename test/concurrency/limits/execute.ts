// A request as the execution function handles it from its admission on: the product's own limits and flow, without API Gateway.

import { type ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import type { CircuitRegistry } from '../../../core/flow/circuit-breaker.ts';
import { estimateFirstAttempt, recordRandom } from '../../../core/flow/first-attempt.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import { openBudget } from '../../../core/limits/budget.ts';
import type { ExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { planCounters } from '../../../core/limits/plan-counters.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import type { Random } from '../../../core/ports/platform.ts';
import { costOfUsage, findPrice } from '../../../core/pricing/cost.ts';
import { type Neuron, neuronSchema } from '../../../core/settings/neuron-schema.ts';
import { type Organization, organizationSchema } from '../../../core/settings/organization-schema.ts';
import { keyLimitSchema } from '../../../core/settings/usage-limits.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import type { Answered, Sender } from './drive.ts';
import { documentsOf, type Offer, type Scenario } from './scenario.ts';

/** What a process has one of. */
export interface ExecutePorts {
  readonly counters: CounterStore;
  readonly exhaustionCache: ExhaustionCache;
  readonly circuits: CircuitRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly providersOf: (
    organizationId: string,
    settings: Organization['providers'],
  ) => FlowPorts['findProvider'];
}

const WINDOW_MS = 10_000;

/** A sender of requests on a scenario. `atMs` is the time of every request, or the beginning of the first of several windows. */
export function createSender(
  scenario: Scenario,
  slug: string,
  providerUrl: string,
  atMs: number,
  ports: ExecutePorts,
): Sender {
  const documents = documentsOf(scenario, slug, providerUrl);
  const organization = organizationSchema.parse(documents.organization);
  const neurons = documents.neurons.map((one) => neuronSchema.parse(one));
  return async (offer) => {
    const neuron = neurons[offer.neuron];
    if (neuron === undefined) throw new Error(`no neuron ${offer.neuron}`);
    const timeMs = timeOf(offer, scenario, atMs);
    const answered = await execute({ offer, scenario, slug, organization, neuron, timeMs }, ports);
    return { ...answered, window: offer.window };
  };
}

/** In turn the first and the last millisecond of the window, or around the edge. */
function timeOf({ window = 0, user }: Offer, { edgeMs }: Scenario, atMs: number): number {
  if (edgeMs !== undefined) return edgeMs - 1 + window;
  return atMs + window * WINDOW_MS + (user % 2 === 0 ? 0 : WINDOW_MS - 1);
}

interface Request {
  readonly offer: Offer;
  readonly scenario: Scenario;
  readonly slug: string;
  readonly organization: Organization;
  readonly neuron: Neuron;
  readonly timeMs: number;
}

async function execute(request: Request, ports: ExecutePorts): Promise<Omit<Answered, 'window'>> {
  const { neuron, slug, timeMs } = request;
  const budget = openBudget(countersOf(request), {
    counters: ports.counters,
    exhaustionCache: ports.exhaustionCache,
    clock: ports.clock,
    random: ports.random,
    settingsVersion: slug,
    timeMs,
    retentionMs: 3_600_000,
    failOpen: false,
  });
  const deadline = startDeadline(ports.clock, neuron.deadline);
  const chance = recordRandom(ports.random);
  const flow = neuron.flow ?? [];
  const context = {
    conversation: conversationOf(request.offer.id),
    username: undefined,
    executionId: request.offer.id,
    deadline,
  };
  const flowPorts = { ...flowPortsOf(request, ports), reserveAttempt: budget.reserveAttempt };
  try {
    const first = budget.limitsSpending
      ? await estimateFirstAttempt(flow, context, { ...flowPorts, random: chance.random })
      : undefined;
    await budget.admit(first);
    const result = await runFlow(flow, context, { ...flowPorts, random: chance.replay() });
    return result.kind === 'failed'
      ? toAnswered(result.rejection)
      : { code: 'ok', retryAfterSeconds: undefined };
  } catch (thrown) {
    return toAnswered(toServiceError(thrown));
  } finally {
    deadline.end();
    await Promise.all(budget.close().map((one) => ports.counters.settle(one).catch(() => undefined)));
  }
}

function countersOf({ offer, scenario, slug, organization, neuron, timeMs }: Request) {
  return planCounters({
    defaultConcurrency: undefined,
    takesKeys: scenario.keyLimits !== undefined,
    keyLimits: (scenario.keyLimits ?? []).map((rule) => keyLimitSchema.parse(rule)),
    runEndsAtMs: timeMs + neuron.deadline,
    neuronId: `${slug}-n${offer.neuron}`,
    organizationId: slug,
    rateLimits: neuron.rateLimits,
    usageLimits: organization.usageLimits,
    caller: {
      ...callerOf(scenario, slug, offer.user),
      sourceIp: `127.0.0.${offer.address + 2}`,
    },
    timeMs,
    shards: scenario.shards ?? 1,
  });
}

function callerOf({ users, keyLimits }: Scenario, slug: string, user: number) {
  if (keyLimits !== undefined)
    return { authentication: 'apiKey', username: undefined, keyId: `${slug}-${user}` } as const;
  if (users === 0) return { authentication: 'public', username: undefined, keyId: undefined } as const;
  return { authentication: 'jwt', username: `user-${user}`, keyId: undefined } as const;
}

function flowPortsOf(
  { slug, organization }: Request,
  ports: ExecutePorts,
): Omit<FlowPorts, 'random' | 'reserveAttempt'> {
  return {
    clock: ports.clock,
    validateJson: async () => undefined,
    breakers: ports.circuits.within(slug),
    findProvider: ports.providersOf(slug, organization.providers),
    costOf(provider, model, usage) {
      const price = findPrice(organization, provider, model);
      return price === undefined ? null : costOfUsage(usage, price);
    },
  };
}

function toAnswered({ code, retryAfterMs }: ServiceError): Omit<Answered, 'window'> {
  return {
    code,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000)),
  };
}
