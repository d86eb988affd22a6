// Reads what `neuron status` shows, everything at once.
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { pauseAt } from '../../core/settings/blocks/pause.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import { toIso } from '../../core/time/iso.ts';
import { readClosedState, renderClosedState } from '../controls/closed-state.ts';
import type { NeuronState, RecentChange, StatusReport } from '../json/status.ts';
import type { LogOwner } from '../logs/find-log-owner.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeurons, requireOrganization } from '../session/require-stored.ts';
import type { Target } from '../session/target.ts';
import { listCurrentAlerts, listNearlyUsed } from './current-limits.ts';
import { countFailures, countGuards } from './recent-failures.ts';

const HOUR_MS = 3_600_000;
const CHANGES_MS = 30 * 24 * HOUR_MS;
const MAX_CHANGES = 5;
type StatusPorts = Pick<
  Ports,
  | 'store'
  | 'logReader'
  | 'guardedEntries'
  | 'usage'
  | 'alerts'
  | 'changes'
  | 'counterReader'
  | 'clock'
  | 'stack'
>;

/** Throws `CommandFailure` where the organization or the neuron does not exist. */
export async function readStatus(target: Target, ports: StatusPorts): Promise<StatusReport> {
  const organization = await requireOrganization(ports.store, target.organization);
  const neurons = await requireNeurons(ports.store, organization, target);
  const nowMs = ports.clock.now();
  const neuronId = target.neuron === undefined ? undefined : neurons[0]?.id;
  const owner: LogOwner = { organizationId: organization.id, neuronId };
  const lastHour = { ...owner, fromMs: nowMs - HOUR_MS, toMs: nowMs + 1 };
  const [closed, today, failures, guards, alerts, limits, changes] = await Promise.all([
    readClosedState(ports.store, target.organization, nowMs),
    sumToday(owner, ports),
    countFailures(ports.logReader, lastHour),
    countGuards(ports.guardedEntries, lastHour),
    listCurrentAlerts(organization.id, ports.alerts, nowMs),
    listNearlyUsed(organization, neurons, ports),
    listRecentChanges(target, neurons, ports),
  ]);
  return {
    organization: target.organization,
    neuron: target.neuron ?? null,
    closed: closed === undefined ? null : renderClosedState(closed),
    neurons: neurons.map((neuron) => toNeuronState(organization, neuron, nowMs)),
    today,
    failures,
    guards,
    alerts,
    limits,
    changes,
  };
}

function toNeuronState(
  { slug: organization }: OrganizationRecord,
  { slug, deployment, rollout, pause: stored }: NeuronRecord,
  nowMs: number,
): NeuronState {
  const pause = pauseAt(stored, nowMs);
  return {
    neuron: `${organization}/${slug}`,
    deployed: deployment?.version ?? null,
    rollout: rollout === undefined ? null : renderRollout(rollout),
    closed: pause === undefined ? null : `paused since ${pause.since}, by ${pause.by}`,
  };
}

function renderRollout({
  candidate,
  basisPoints,
  stage,
  stages,
  paused,
}: NonNullable<NeuronRecord['rollout']>): string {
  const place = `stage ${stage + 1} of ${stages.length}`;
  return paused === undefined
    ? `${candidate} gets ${renderShare(basisPoints)}, ${place}`
    : `${candidate} is paused, ${place}`;
}

async function sumToday(owner: LogOwner, { usage, clock }: StatusPorts): Promise<StatusReport['today']> {
  const day = toIso(clock.now()).slice(0, 10);
  const sum = { requests: 0, failed: 0, refused: 0, costMicrodollars: 0 };
  for await (const { subject, amounts } of usage.list({ ...owner, fromDay: day, toDay: day })) {
    if (subject.kind !== 'neuron') continue;
    const { success, stopped, failed, refused: rejected, costMicrodollars } = amounts;
    sum.requests += success + stopped + failed + rejected;
    sum.failed += failed;
    sum.refused += rejected;
    sum.costMicrodollars += costMicrodollars;
  }
  return sum;
}

async function listRecentChanges(
  target: Target,
  neurons: readonly NeuronRecord[],
  { changes, clock }: StatusPorts,
): Promise<readonly RecentChange[]> {
  const nowMs = clock.now();
  const slugs = new Map(neurons.map(({ id, slug }) => [id, slug]));
  const recent: RecentChange[] = [];
  for await (const change of changes.list(target.organization, nowMs - CHANGES_MS, nowMs + 60_000)) {
    const { id, timeMs, by, actions, outcome, neuronId } = change;
    const neuron = change.neuron ?? slugs.get(neuronId ?? '') ?? null;
    // Changes of the organization and of the service concern each neuron.
    const isOfNeuron = neuron !== null || neuronId != null;
    if (isOfNeuron && target.neuron !== undefined && neuron !== target.neuron) continue;
    recent.push({ id, time: toIso(timeMs), by, actions, neuron, outcome });
    if (recent.length === MAX_CHANGES) break;
  }
  return recent;
}
