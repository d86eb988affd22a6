// Reads from CloudWatch Logs the lines that entries are restored from
// (AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html).
import { type CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { LineReader } from '../../core/ports/line-reader.ts';

/** Selects the lines with the mark of an entry, or of a run that began. */
const ENTRIES = '{ ($.neuronEntry = 1) || ($.neuronRun = 1) }';

/** Throws what CloudWatch Logs throws, such as `ResourceNotFoundException` for a group that is not there. */
export function createLineReader(client: CloudWatchLogsClient): LineReader {
  return {
    async *read(group, fromMs, toMs) {
      let nextToken: string | undefined;
      do {
        const page = await client.send(
          new FilterLogEventsCommand({
            logGroupName: group,
            filterPattern: ENTRIES,
            startTime: fromMs,
            // `endTime` is inclusive.
            endTime: toMs - 1,
            ...(nextToken === undefined ? {} : { nextToken }),
          }),
        );
        // A page may be empty though others follow.
        for (const { message } of page.events ?? []) if (message !== undefined) yield message;
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
    },
  };
}
