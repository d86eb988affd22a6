// The rollup function: adds what the log table's stream brings to the usage of its day.
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { fromVariables, ROLLUP_FIELDS } from '../environment.ts';
import { compose } from './compose.ts';
import { rollUp } from './roll-up.ts';

const ports = compose(fromVariables(ROLLUP_FIELDS, process.env));

/** Lambda delivers each record at least once; counting it once is the ledger's part. */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  return rollUp(event, ports);
}
