// Alerts of windows that have not ended, and limits that are nearly used.
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { AlertReader } from '../../core/ports/alerts.ts';
import type { ListedAlert, ListedLimit } from '../json/limits.ts';
import { toListedAlert } from '../limits/alerts.ts';
import { remainingOf, toLimitJson } from '../limits/limit-view.ts';
import { readRules } from '../limits/read-rules.ts';

/** Above it, limits of an organization's neurons are left to `neuron limits`. */
const MAX_NEURONS_WITH_LIMITS = 50;
const OWNERS_AT_ONCE = 16;
/** The share of a limit, used and held, from which on it is nearly used. */
const NEARLY = 0.8;

export async function listCurrentAlerts(
  organizationId: string,
  alerts: AlertReader,
  nowMs: number,
): Promise<readonly ListedAlert[]> {
  const current: ListedAlert[] = [];
  for await (const record of alerts.list(organizationId))
    if (record.alert.windowEndMs > nowMs) current.push(toListedAlert(record));
  return current.sort((one, other) => (one.at < other.at ? 1 : -1));
}

/** Limits of API keys, users and addresses are not among them: each has counters of its own. */
export async function listNearlyUsed(
  organization: OrganizationRecord,
  neurons: readonly NeuronRecord[],
  ports: Parameters<typeof readRules>[2],
): Promise<readonly ListedLimit[]> {
  const owners = [
    { organization },
    ...neurons.slice(0, MAX_NEURONS_WITH_LIMITS).map((neuron) => ({ organization, neuron })),
  ];
  const found = await mapAtOnce(owners, OWNERS_AT_ONCE, (owner) => readRules(owner, {}, ports));
  return found
    .flatMap(({ rules }) => rules)
    .filter((rule) => {
      const remaining = remainingOf(rule);
      return remaining !== undefined && remaining <= rule.limit * (1 - NEARLY);
    })
    .map(toLimitJson);
}
