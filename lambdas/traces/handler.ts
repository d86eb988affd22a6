// The traces function: sends the entries of the log table's stream as spans to the stage's OTLP endpoint, where one is set.
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { fromVariables, TRACES_FIELDS } from '../environment.ts';
import { compose } from './compose.ts';
import { exportSpans } from './export-spans.ts';

const ports = compose(fromVariables(TRACES_FIELDS, process.env));

/** Never fails: spans that cannot be sent are counted and dropped, so that the stream goes on. */
export function handler(event: DynamoDBStreamEvent): Promise<void> {
  return exportSpans(event, ports);
}
