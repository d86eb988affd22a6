// The rollup function: counts the entries of the log table's stream in the usage of their day and seals them in the log's hash chains, both
// in one transaction, and sends alerts of limits. How an entry is sealed: core/logs/seals/seal.ts.
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { fromVariables, ROLLUP_FIELDS } from '../environment.ts';
import { sendDueAlerts } from './alerts.ts';
import { compose } from './compose.ts';
import { rollUp } from './roll-up.ts';

const ports = compose(fromVariables(ROLLUP_FIELDS, process.env));

/** The event of the schedule (lib/constructs/compute/alerting.ts). */
interface SendAlerts {
  readonly sendAlerts: true;
}

/** Lambda delivers each record at least once: the ledger counts it once, and the outbox alerts once. */
export async function handler(
  event: DynamoDBStreamEvent | SendAlerts,
): Promise<DynamoDBBatchResponse | undefined> {
  if ('Records' in event) return rollUp(event, ports);
  await sendDueAlerts(ports);
  return undefined;
}
