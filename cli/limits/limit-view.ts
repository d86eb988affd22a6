// Renders limits with their usage as rows of a table and lines of JSON.

import type { LimitUsage } from '../../core/admin/limit-usage.ts';
import { renderCondition } from '../../core/settings/access-schema.ts';
import { toIso } from '../../core/time/iso.ts';
import type { ListedLimit } from '../json/limits.ts';
import { printableLine } from '../output/printable.ts';
import type { Column } from '../output/table.ts';

export interface ShownRule extends LimitUsage {
  readonly organization: string;
  /** Undefined for a usage limit of the organization or of one of its API keys. */
  readonly neuron: string | undefined;
  /** The id of the API key whose limit it is. */
  readonly keyId: string | undefined;
}

export const LIMIT_COLUMNS: readonly Column<ShownRule>[] = [
  {
    head: 'OF',
    cell: ({ organization, neuron, keyId }) => {
      if (keyId !== undefined) return `${organization} key ${keyId}`;
      return neuron === undefined ? organization : `${organization}/${neuron}`;
    },
  },
  { head: 'METRIC', cell: ({ metric }) => metric },
  {
    head: 'SCOPE',
    cell: ({ scope, when }) =>
      when === undefined ? scope : printableLine(`${scope} where ${renderCondition(when)}`),
  },
  { head: 'PERIOD', cell: ({ period }) => period },
  { head: 'USED', cell: ({ metric, used }) => renderAmount(metric, used), align: 'right' },
  { head: 'HELD', cell: ({ metric, held }) => renderAmount(metric, held), align: 'right' },
  { head: 'LIMIT', cell: ({ metric, limit }) => renderAmount(metric, limit), align: 'right' },
  { head: 'REMAINING', cell: (rule) => renderAmount(rule.metric, remainingOf(rule)), align: 'right' },
  { head: 'RESETS (UTC)', cell: ({ resetsAtMs }) => renderTime(resetsAtMs)?.slice(0, 19).replace('T', ' ') },
];

export function toLimitJson(rule: ShownRule): ListedLimit {
  const { organization, neuron = null, keyId = null, metric, scope, period = null } = rule;
  const { limit, used = null, held = null, when = null } = rule;
  const resetsAt = renderTime(rule.resetsAtMs) ?? null;
  const remaining = remainingOf(rule) ?? null;
  return { organization, neuron, keyId, metric, scope, when, period, used, held, limit, remaining, resetsAt };
}

/** Never negative: a provider may report more than was reserved. Undefined for counters that were not read. */
export function remainingOf({ limit, used, held }: LimitUsage): number | undefined {
  return used === undefined || held === undefined ? undefined : Math.max(0, limit - used - held);
}

/** Undefined for counters that were not read. */
function renderAmount(metric: LimitUsage['metric'], amount: number | undefined): string | number | undefined {
  return amount === undefined || metric !== 'cost' ? amount : `$${(amount / 1_000_000).toFixed(6)}`;
}

function renderTime(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : toIso(timeMs);
}
