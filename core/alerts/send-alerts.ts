// Sends leased alerts to the channels that have not taken them yet. Alerts that cannot be sent stay in the outbox.
import type { AlertChannel, AlertOutbox, AlertRecord } from '../ports/alerts.ts';
import type { Clock } from '../time/clock.ts';
import { toAlertDetail } from './alert.ts';

export interface SendPorts {
  readonly outbox: AlertOutbox;
  readonly channels: readonly AlertChannel[];
  readonly clock: Pick<Clock, 'now'>;
  /** The stage's name, for the event. */
  readonly stage: string;
}

/** The number of alerts that are still unsent, and the last error. */
export interface UnsentAlerts {
  readonly count: number;
  readonly error: unknown;
}

const AT_ONCE = 10;

/** Never throws: an alert that was not sent or not recorded is sent again when its lease ends. */
export async function sendAlerts(records: readonly AlertRecord[], ports: SendPorts): Promise<UnsentAlerts> {
  let unsent: UnsentAlerts = { count: 0, error: undefined };
  for (let first = 0; first < records.length; first += AT_ONCE) {
    const some = records.slice(first, first + AT_ONCE);
    const results = await Promise.allSettled(some.map((record) => sendOne(record, ports)));
    for (const result of results) {
      if (result.status === 'rejected') unsent = { count: unsent.count + 1, error: result.reason };
    }
  }
  return unsent;
}

async function sendOne(
  { alert, sentAtMs }: AlertRecord,
  { outbox, channels, clock, stage }: SendPorts,
): Promise<void> {
  const detail = toAlertDetail(alert, stage);
  const left = channels.filter(({ name }) => sentAtMs[name] === undefined);
  const results = await Promise.allSettled(
    left.map(async (channel) => {
      await channel.send(detail);
      await outbox.markSent(alert, channel.name, clock.now());
    }),
  );
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed === undefined) {
    await outbox.settle(alert);
    return;
  }
  await outbox.release(alert);
  throw (failed as PromiseRejectedResult).reason;
}
