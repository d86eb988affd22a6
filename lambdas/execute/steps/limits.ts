// Reserves a request, and the estimate of its first attempt, in every limit of the neuron, its organization and the caller's key. Windows
// are those of API Gateway's time: all processes write to the same items. Why no limit is exceeded: core/limits/reserve.ts.
import { estimateFirstAttempt, recordRandom } from '../../../core/flow/first-attempt.ts';
import { leastFirstAttempt } from '../../../core/flow/least-attempt.ts';
import { type Budget, openBudget, type Spending } from '../../../core/limits/budget.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import { renderSettingsVersion, type UsableSettings } from '../../../core/settings/usable-settings.ts';
import type { AdmittedCall, Call, ExecutionPorts, FoundVersion, Run } from '../run.ts';
import { type FlowRunPorts, toCostOf, toFlowContext, toFlowPorts } from './flow.ts';
import { rejectEnded } from './line.ts';

export type BudgetPorts = Pick<
  ExecutionPorts,
  | 'clock'
  | 'random'
  | 'counters'
  | 'exhaustionCache'
  | 'counterShards'
  | 'maxDeadlineMs'
  | 'defaultConcurrency'
>;

/** A counter is kept for this long and the longest run after its window, so that every settlement finds it. */
const COUNTER_RETENTION_MS = 3_600_000;

/** The parts of a call that select its counters: all are known before the body is read. */
type LimitedCall = Pick<Call, 'admission' | 'request' | 'settings' | 'deadline'>;

/** Plans the counters that limit the request. Nothing is read or written yet. `onWrite` hears of each reservation before it is sent, and throws to refuse it. */
export function openRunBudget(call: LimitedCall, ports: BudgetPorts, onWrite = () => {}): Budget {
  const { settings, request } = call;
  return openBudget(planCounters(toLimitedRequest(call, ports)), {
    counters: countWrites(ports.counters, onWrite),
    exhaustionCache: ports.exhaustionCache,
    clock: ports.clock,
    random: ports.random,
    settingsVersion: renderSettingsVersion(settings.version),
    timeMs: request.timeMs,
    retentionMs: ports.maxDeadlineMs + COUNTER_RETENTION_MS,
    failOpen: settings.neuron.whenCountersFail === 'admit',
  });
}

/** Hears of a reservation before it is sent. A run whose request has ended reserves nothing: its settlements are made. */
export function countWrite(run: Run): void {
  rejectEnded(run);
  run.limitWrites = (run.limitWrites ?? 0) + 1;
}

function countWrites(counters: BudgetPorts['counters'], onWrite: () => void): BudgetPorts['counters'] {
  return {
    reserve(request) {
      onWrite();
      return counters.reserve(request);
    },
    settle: (settlement) => counters.settle(settlement),
    read: (keys) => counters.read(keys),
  };
}

/**
 * From here on the request counts. Throws 429 `rate_limited`, `usage_limit_exceeded` or `too_many_at_once`; 503 `overloaded` or
 * `dependency_unavailable`.
 */
export async function admit(call: Call, budget: Budget, ports: FlowRunPorts): Promise<AdmittedCall> {
  const flowPorts = toFlowPorts(call, budget, ports);
  if (!budget.limitsSpending) {
    await budget.admit(undefined);
    return { ...call, budget, flowPorts };
  }
  const recorded = recordRandom(ports.random);
  const estimating = { ...flowPorts, random: recorded.random };
  await budget.admit(await estimateFirstAttempt(call.version.flow, toFlowContext(call), estimating));
  // The same random numbers again: the first attempt is the one that was estimated, and takes its reservation over.
  return { ...call, budget, flowPorts: { ...flowPorts, random: recorded.replay() } };
}

/** The least that the version reserves for any body; undefined for one that is not there, an error that comes after those of the body. */
export async function leastSpending(
  { limitsSpending }: Budget,
  settings: UsableSettings,
  findVersion: () => Promise<FoundVersion>,
): Promise<Spending | undefined> {
  const version = limitsSpending ? await findVersion().catch(() => undefined) : undefined;
  return version && leastFirstAttempt(version.flow, toCostOf(settings));
}

function toLimitedRequest(
  { admission, request, settings, deadline }: LimitedCall,
  { clock, defaultConcurrency, counterShards }: BudgetPorts,
): LimitedRequest {
  const { authentication, username, keyId, keyLimits = [], conditions } = admission;
  // A clock that is slow must not end the lease of a run that goes on.
  const nowMs = Math.max(clock.now(), request.timeMs);
  return {
    neuronId: settings.neuronId,
    organizationId: settings.organizationId,
    rateLimits: settings.neuron.rateLimits,
    usageLimits: settings.organization.usageLimits,
    defaultConcurrency,
    takesKeys: settings.neuron.access.apiKey === true,
    keyLimits,
    caller: { authentication, username, keyId, conditions, sourceIp: request.sourceIp },
    timeMs: request.timeMs,
    runEndsAtMs: nowMs + deadline.remainingMs(),
    shards: counterShards,
  };
}
