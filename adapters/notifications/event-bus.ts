// Puts alerts, values of feedback, and rollouts that were stopped, as events on an EventBridge bus.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../../core/contract/alert-event.ts';
import { clientLimits } from './client-limits.ts';

/** Made when this file is loaded; region, credentials and endpoint come from the standard AWS variables. */
const client = new EventBridgeClient(clientLimits());

/** One call. Throws where EventBridge did not take the event, and where it may have. `bus`: name or ARN. */
export async function putEvent(bus: string, type: string, detail: { readonly at: string }): Promise<void> {
  const { FailedEntryCount = 0, Entries = [] } = await client.send(
    new PutEventsCommand({
      Entries: [
        {
          EventBusName: bus,
          Source: EVENT_SOURCE,
          DetailType: type,
          Time: new Date(detail.at),
          Detail: JSON.stringify(detail),
        },
      ],
    }),
  );
  // The call succeeds even if its entry is rejected (API_PutEvents, "FailedEntryCount").
  if (FailedEntryCount > 0) throw new RejectedEventError(Entries[0]?.ErrorCode);
}

class RejectedEventError extends Error {
  constructor(code = 'unknown') {
    super(`EventBridge refused the event: ${code}`);
    this.name = code;
  }
}
