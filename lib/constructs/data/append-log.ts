// The right of a function to append to the log: entries of neurons, and none of an operator's changes.
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ENTRY_PARTITIONS } from '../../../core/contract/tables.ts';
import type { Tables } from './tables.ts';

/** A function that is taken over could put false entries of neurons, but no change that no operator made. */
export function appendToLog(sid: string, { byName: { logs } }: Tables): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions: ['dynamodb:PutItem'],
    resources: [logs.tableArn],
    // Every PutItem has exactly one leading key (amazondynamodb/latest/developerguide/specifying-conditions.html).
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [ENTRY_PARTITIONS] } },
  });
}
