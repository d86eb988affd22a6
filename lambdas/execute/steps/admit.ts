// Asks the limits of the neuron and of its organization for room: the request, and what its first attempt may spend.
import { estimateFirstAttempt, recordChance } from '../../../core/flow/first-attempt.ts';
import { openBudget } from '../../../core/limits/budget.ts';
import type { ExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import type { Random } from '../../../core/ports/platform.ts';
import { renderSettingsVersion } from '../../../core/settings/usable-settings.ts';
import { type ExecutePorts, toFlowContext, toFlowPorts } from '../flow-ports.ts';
import type { AdmittedRun, BudgetedRun, CacheReadingRun } from '../run.ts';

/** What opening a budget needs. */
export interface BudgetPorts {
  readonly random: Random;
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

/** Finds the counters that the request falls under; asks none of them yet. */
export function openRunBudget(run: CacheReadingRun, ports: BudgetPorts): BudgetedRun {
  const { settings, request } = run;
  const budget = openBudget(planCounters(toLimitedRequest(run, ports.counterShards)), {
    counters: ports.counters,
    known: ports.exhaustionCache,
    random: ports.random,
    settingsVersion: renderSettingsVersion(settings.version),
    timeMs: request.timeMs,
    keepMs: ports.maxDeadlineMs + KEPT_MS,
    admitsUncounted: settings.neuron.whenCountersFail === 'admit',
  });
  return { ...run, budget };
}

/** 429 `rate_limited` or `usage_limit_exceeded`; 503 `overloaded` or `dependency_unavailable`. From here on the request counts. */
export async function admit(
  run: BudgetedRun,
  ports: ExecutePorts & { readonly random: Random },
): Promise<AdmittedRun> {
  const { budget, version } = run;
  if (!budget.limitsSpending) {
    await budget.admit(undefined);
    return { ...run, random: ports.random };
  }
  // The flow draws the same chance again, and so comes to the attempt that was estimated.
  const chance = recordChance(ports.random);
  const flowPorts = toFlowPorts(run, chance.random, ports);
  await budget.admit(await estimateFirstAttempt(version.flow, toFlowContext(run), flowPorts));
  return { ...run, random: chance.replay() };
}

function toLimitedRequest({ admission, request, settings }: CacheReadingRun, shards: number): LimitedRequest {
  const { authentication, username, keyId } = admission;
  return {
    neuronId: settings.neuronId,
    organizationId: settings.organizationId,
    rateLimits: settings.neuron.rateLimits,
    usageLimits: settings.organization.usageLimits,
    caller: { authentication, username, keyId, sourceIp: request.sourceIp },
    timeMs: request.timeMs,
    shards,
  };
}
