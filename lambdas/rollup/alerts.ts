// Raises alerts with each batch of the log, and retries every minute those that could not be sent.
import type { Alerts } from '../../core/alerts/alerts.ts';
import type { AlertedEntry } from '../../core/alerts/find-alerts.ts';
import type { UnsentAlerts } from '../../core/alerts/send-alerts.ts';
import type { LineSink } from '../../core/ports/platform.ts';

interface AlertingPorts {
  readonly alerts: Alerts;
  readonly lines: LineSink;
}

/** False when the entries must come again: the limits that they reached could not be read, or the alerts not be recorded. */
export async function raiseAlerts(
  entries: readonly AlertedEntry[],
  { alerts, lines }: AlertingPorts,
): Promise<boolean> {
  try {
    report(await alerts.raise(entries), lines);
    return true;
  } catch (error) {
    lines.write(JSON.stringify({ neuronAlertsDelayed: entries.length, error: nameOf(error) }));
    return false;
  }
}

/** Sends unsent alerts, and raises those of runs in progress. Throws when either could not be done. */
export async function sendDueAlerts({ alerts, lines }: AlertingPorts): Promise<void> {
  const done = await Promise.allSettled([alerts.sendDue(), alerts.raiseWatched()]);
  for (const one of done) if (one.status === 'fulfilled') report(one.value, lines);
  const failed = done.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function report({ count, error }: UnsentAlerts, lines: LineSink): void {
  if (count > 0) lines.write(JSON.stringify({ neuronAlertsUnsent: count, error: nameOf(error) }));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
