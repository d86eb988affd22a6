// The id of an alert, and the event that is sent for it.

import { createHash } from 'node:crypto';
import type { AlertDetail } from '../contract/alert-event.ts';
import type { Alert } from '../ports/alerts.ts';
import { toIso } from '../time/iso.ts';

export type AlertFacts = Omit<Alert, 'id'>;

/** The alert with its id: a hash over limit, share and window, but not over the time or the amount at which it was found. */
export function identifyAlert(facts: AlertFacts): Alert {
  const { organizationId, keyId = '', metric, period, windowStartMs, share, limit } = facts;
  const parts = [organizationId, keyId, metric, period, windowStartMs, share, limit];
  const id = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
  return { id, ...facts };
}

export function toAlertDetail(alert: Alert, stage: string): AlertDetail {
  const { id, organization, organizationId, metric, period, share, limit, used } = alert;
  return {
    version: 1,
    id,
    stage,
    organization,
    organizationId,
    keyId: alert.keyId ?? null,
    metric,
    period,
    windowStart: toIso(alert.windowStartMs),
    windowEnd: toIso(alert.windowEndMs),
    share,
    limit,
    used,
    unit: metric === 'cost' ? 'microdollars' : metric,
    at: toIso(alert.atMs),
    summary: summarize(alert, stage),
  };
}

/** `acme (prod): 80 % of the limit of $500 of cost for 2026-11 are used: $401.2.` */
function summarize(alert: Alert, stage: string): string {
  const { organization, keyId, share, limit, used } = alert;
  const whose = keyId === undefined ? organization : `${organization}, API key ${keyId}`;
  return `${whose} (${stage}): ${share} % of the limit of ${amount(alert, limit)} for ${windowName(alert)} is used: ${amount(alert, used)}.`;
}

/** `2026-11` or `2026-11-22`. */
function windowName({ windowStartMs, period }: Alert): string {
  return toIso(windowStartMs).slice(0, period === 'month' ? 7 : 10);
}

function amount({ metric }: Alert, value: number): string {
  return metric === 'cost' ? `$${value / 1_000_000}` : `${value} ${metric}`;
}
