// Reads the identity of the operator's credentials, and the status of tables.
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientConfig } from './aws-client-config.ts';
import type { GlobalOptions } from './options.ts';
import type { Stack } from './stack.ts';

/** The ARN of the IAM principal; `local` on a local run, which has none. */
export async function readCallerIdentity({
  local,
  region,
  profile,
}: Pick<GlobalOptions, 'region' | 'profile'> & { readonly local: unknown }): Promise<string> {
  if (local !== undefined) return 'local';
  const client = new STSClient(clientConfig({ region, profile, local: undefined }));
  const { Arn: arn } = await client.send(new GetCallerIdentityCommand({}));
  return arn ?? 'unknown';
}

/** Such as `ACTIVE`. */
export async function readTableStatus(stack: Stack, table: string): Promise<string> {
  const client = new DynamoDBClient(clientConfig(stack, 'dynamodb'));
  const { Table: description } = await client.send(new DescribeTableCommand({ TableName: table }));
  return description?.TableStatus ?? 'unknown';
}
