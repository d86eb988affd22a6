// Asks the limits of the neuron and of its organization for room: the request, and what its first attempt may spend.

import { estimateFirstAttempt, recordChance } from '../../../core/flow/first-attempt.ts';
import { type Budget, openBudget } from '../../../core/limits/budget.ts';
import type { ExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import { renderSettingsVersion } from '../../../core/settings/usable-settings.ts';
import { type Run, required } from '../run.ts';
import { type RunFlowPorts, toFlowContext, toFlowPorts } from '../run-flow.ts';
import { runOf, type Step } from './record.ts';

/** What admission needs. */
export interface AdmitPorts extends RunFlowPorts {
  readonly counters: CounterStore;
  /** One per environment. */
  readonly exhaustionCache: ExhaustionCache;
  /** Items that share a limit of `total` requests. */
  readonly counterShards: number;
  /** The longest deadline of this stage, in milliseconds. */
  readonly maxDeadlineMs: number;
}

/** A counter outlives its window by this and the longest run, so that every settlement finds it. */
const KEPT_MS = 3_600_000;

/** 429 `rate_limited` or `usage_limit_exceeded`; 503 `overloaded` or `dependency_unavailable`. From here on the request counts. */
export function admit(ports: AdmitPorts): Step {
  return {
    async before({ event }) {
      const run = runOf(event);
      const settings = required(run.settings, 'settings');
      const budget = openBudget(planCounters(toLimitedRequest(run, settings, ports)), {
        counters: ports.counters,
        known: ports.exhaustionCache,
        random: ports.random,
        settingsVersion: renderSettingsVersion(settings.version),
        timeMs: run.request.timeMs,
        keepMs: ports.maxDeadlineMs + KEPT_MS,
        admitsUncounted: settings.neuron.whenCountersFail === 'admit',
      });
      run.budget = budget;
      await budget.admit(budget.limitsSpending ? await foresee(run, settings, ports, budget) : undefined);
    },
  };
}

function toLimitedRequest(
  { admission, request }: Run,
  { neuronId, organizationId, neuron, organization }: UsableSettings,
  { counterShards }: AdmitPorts,
): LimitedRequest {
  const { authentication, username, keyId } = required(admission, 'admission');
  return {
    neuronId,
    organizationId,
    rateLimits: neuron.rateLimits,
    usageLimits: organization.usageLimits,
    caller: { authentication, username, keyId, sourceIp: request.sourceIp },
    timeMs: request.timeMs,
    shards: counterShards,
  };
}

/** What the first attempt may spend; the run draws the same chance again and so comes to the same attempt. */
function foresee(run: Run, settings: UsableSettings, ports: AdmitPorts, budget: Budget) {
  const chance = recordChance(ports.random);
  const { flow } = required(run.version, 'version');
  const flowPorts = toFlowPorts(settings, { ...ports, random: chance.random }, budget);
  return estimateFirstAttempt(flow, toFlowContext(run), flowPorts).finally(() => {
    run.random = chance.replay();
  });
}
