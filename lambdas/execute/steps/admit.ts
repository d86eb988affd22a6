// Admits a request: reserves it, and the estimate of its first attempt, in every limit of the neuron and its organization.
import { estimateFirstAttempt, recordChance } from '../../../core/flow/first-attempt.ts';
import { openBudget } from '../../../core/limits/budget.ts';
import type { ExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import type { Random } from '../../../core/ports/platform.ts';
import { renderSettingsVersion } from '../../../core/settings/usable-settings.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { type ExecutePorts, toFlowContext, toFlowPorts } from '../flow-ports.ts';
import type { AdmittedRun, BudgetedRun, CacheReadingRun } from '../run.ts';

/** What opening a budget needs. */
export interface BudgetPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly counters: CounterStore;
  /** One per environment. */
  readonly exhaustionCache: ExhaustionCache;
  /** The number of shards of each counter of `total` requests. */
  readonly counterShards: number;
  /** The longest deadline of this stage, in milliseconds. */
  readonly maxDeadlineMs: number;
  /** Runs at once of an organization without a limit of its own; undefined where the stage sets none. */
  readonly defaultConcurrency: number | undefined;
}

/** A counter is kept for this long and the longest run after its window, so that every settlement finds it. */
const COUNTER_RETENTION_MS = 3_600_000;

/** Plans the counters that limit the request. Nothing is read or written yet. */
export function openRunBudget(run: CacheReadingRun, ports: BudgetPorts): BudgetedRun {
  const { settings, request } = run;
  const budget = openBudget(planCounters(toLimitedRequest(run, ports)), {
    counters: ports.counters,
    exhaustionCache: ports.exhaustionCache,
    clock: ports.clock,
    random: ports.random,
    settingsVersion: renderSettingsVersion(settings.version),
    timeMs: request.timeMs,
    retentionMs: ports.maxDeadlineMs + COUNTER_RETENTION_MS,
    failOpen: settings.neuron.whenCountersFail === 'admit',
  });
  return { ...run, budget };
}

/** 429 `rate_limited`, `usage_limit_exceeded` or `too_many_at_once`; 503 `overloaded` or `dependency_unavailable`. From here on the request counts. */
export async function admit(
  run: BudgetedRun,
  ports: ExecutePorts & { readonly random: Random },
): Promise<AdmittedRun> {
  const { budget, version } = run;
  if (!budget.limitsSpending) {
    await budget.admit(undefined);
    return { ...run, random: ports.random };
  }
  // The flow replays the same random numbers, so that its first attempt is the one that was estimated.
  const chance = recordChance(ports.random);
  const flowPorts = toFlowPorts(run, chance.random, ports);
  await budget.admit(await estimateFirstAttempt(version.flow, toFlowContext(run), flowPorts));
  return { ...run, random: chance.replay() };
}

function toLimitedRequest(run: CacheReadingRun, ports: BudgetPorts): LimitedRequest {
  const { admission, request, settings, deadline } = run;
  const { authentication, username, keyId, keyLimits = [] } = admission;
  // A clock that is slow must not end the lease of a run that goes on.
  const nowMs = Math.max(ports.clock.now(), request.timeMs);
  return {
    neuronId: settings.neuronId,
    organizationId: settings.organizationId,
    rateLimits: settings.neuron.rateLimits,
    usageLimits: settings.organization.usageLimits,
    defaultConcurrency: ports.defaultConcurrency,
    takesKeys: settings.neuron.access.apiKey === true,
    keyLimits,
    caller: { authentication, username, keyId, sourceIp: request.sourceIp },
    timeMs: request.timeMs,
    runEndsAtMs: nowMs + deadline.remainingMs(),
    shards: ports.counterShards,
  };
}
