// Puts an alert as an event on an EventBridge bus.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type AlertDetail, EVENT_SOURCE, EVENT_TYPE } from '../../core/contract/alert-event.ts';
import { clientLimits } from './client-limits.ts';

/** Made when this file is loaded; region, credentials and endpoint come from the standard AWS variables. */
const client = new EventBridgeClient(clientLimits());

/** One call. Throws where the event was not taken, and where nobody knows. `bus`: name or ARN. */
export async function putEvent(bus: string, detail: AlertDetail): Promise<void> {
  const { FailedEntryCount = 0, Entries = [] } = await client.send(
    new PutEventsCommand({
      Entries: [
        {
          EventBusName: bus,
          Source: EVENT_SOURCE,
          DetailType: EVENT_TYPE,
          Time: new Date(detail.at),
          Detail: JSON.stringify(detail),
        },
      ],
    }),
  );
  // A refused entry is no error of the call (API_PutEvents, "FailedEntryCount").
  if (FailedEntryCount > 0) throw new EventRejected(Entries[0]?.ErrorCode);
}

/** An entry that EventBridge did not take. */
class EventRejected extends Error {
  constructor(code = 'unknown') {
    super(`EventBridge refused the event: ${code}`);
    this.name = code;
  }
}
