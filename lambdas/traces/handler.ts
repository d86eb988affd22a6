// The traces function: sends what the log table's stream brings to the stage's OTLP endpoint. It is in the stage where that is set.
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { fromVariables, TRACES_FIELDS } from '../environment.ts';
import { compose } from './compose.ts';
import { exportSpans } from './export-spans.ts';

const ports = compose(fromVariables(TRACES_FIELDS, process.env));

/** Never fails: what cannot be sent is counted and left, so that the stream goes on. */
export function handler(event: DynamoDBStreamEvent): Promise<void> {
  return exportSpans(event, ports);
}
