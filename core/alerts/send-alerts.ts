// Sends claimed alerts to the channels that have not taken them yet. What cannot be sent stays in the outbox.
import type { AlertChannel, AlertOutbox, AlertRecord } from '../ports/alerts.ts';
import type { Clock } from '../time/clock.ts';
import { toAlertDetail } from './alert.ts';

/** What sending needs. */
export interface SendPorts {
  readonly outbox: AlertOutbox;
  readonly channels: readonly AlertChannel[];
  readonly clock: Pick<Clock, 'now'>;
  /** The stage's name, for the event. */
  readonly stage: string;
}

/** Alerts that are still unsent, and the last error. */
export interface Unsent {
  readonly count: number;
  readonly error: unknown;
}

/** How many are sent side by side. */
const AT_ONCE = 10;

/** Never throws: what was not sent or not recorded comes back when its claim ends. */
export async function sendAlerts(records: readonly AlertRecord[], ports: SendPorts): Promise<Unsent> {
  let unsent: Unsent = { count: 0, error: undefined };
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
