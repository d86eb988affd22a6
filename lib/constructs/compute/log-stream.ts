// Permissions that a function needs to read the stream of the log table.
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Tables } from '../data/tables.ts';
import type { ServiceFunction } from './service-function.ts';

/** Its ARN. Throws for a table of somebody else's that has none. */
export function requireLogStream({ byName: { logs } }: Tables): string {
  const { tableStreamArn } = logs;
  if (tableStreamArn === undefined) throw new Error('the log table has no stream');
  return tableStreamArn;
}

export function logStreamPermissions(streamArn: string): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ReadLogStream',
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [streamArn],
    }),
    new PolicyStatement({ sid: 'ListStreams', actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  ];
}

/** Says why one of them names no resource. */
export function acknowledgeListStreams({ role }: ServiceFunction): void {
  acknowledgeWildcard(
    role,
    '*',
    'ListStreams supports no resource but *, and Lambda needs it to read a stream; the same holds for X-Ray.',
  );
}
