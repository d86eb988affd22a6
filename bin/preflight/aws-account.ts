// The account behind the preflight's port, by clients of the AWS SDK.
import { APIGatewayClient, GetAccountCommand, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { clientConfig } from '../../cli/session/aws-client-config.ts';
import type { Account, Concurrency, DeployedIndex, StackResource, Throttle } from './account.ts';

/** Version of the bootstrap with the CDK's default qualifier (cdk/v2/guide/bootstrapping-customizing.html). */
const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';

export interface AwsAccountOptions {
  /** @default that of the AWS configuration */
  readonly region: string | undefined;
  readonly profile: string | undefined;
}

type RequestHandler = ReturnType<typeof clientConfig>['requestHandler'];

/** Reads the account of the AWS configuration. `requestHandler` is replaced in tests alone. */
export function openAwsAccount(
  { region, profile }: AwsAccountOptions,
  requestHandler?: Pick<RequestHandler, 'handle'>,
): Account {
  const config = {
    ...clientConfig({ region, profile, local: undefined }),
    ...(requestHandler === undefined ? {} : { requestHandler: requestHandler as RequestHandler }),
  };
  const stacks = new CloudFormationClient(config);
  const secrets = new SecretsManagerClient(config);
  const functions = new LambdaClient(config);
  const parameters = new SSMClient(config);
  const apis = new APIGatewayClient(config);
  const logs = new CloudWatchLogsClient(config);
  const tables = new DynamoDBClient(config);
  return {
    readStack: (name) => readStack(stacks, name),
    readConcurrency: () => readConcurrency(functions),
    readThrottle: () => readThrottle(apis),
    listResources: (stack) => listResources(stacks, stack),
    async hasLogGroup(name) {
      const command = new DescribeLogGroupsCommand({ logGroupNamePrefix: name, limit: 50 });
      // The exact name comes first: groups are sorted by name.
      return ((await logs.send(command)).logGroups ?? []).some(({ logGroupName }) => logGroupName === name);
    },
    readIndexes: (table) => readIndexes(tables, table),
    async readBootstrapVersion() {
      const command = new GetParameterCommand({ Name: BOOTSTRAP_PARAMETER });
      const found = await orUndefined('ParameterNotFound', () => parameters.send(command));
      return found === undefined ? undefined : Number(found.Parameter?.Value);
    },
    readLogRole: async () => (await apis.send(new GetAccountCommand({}))).cloudwatchRoleArn,
    async hasDomain(domainName) {
      const command = new GetDomainNameCommand({ domainName });
      return (await orUndefined('NotFoundException', () => apis.send(command))) !== undefined;
    },
    async hasSecrets(prefix) {
      const Filters = [{ Key: 'name' as const, Values: [prefix] }];
      const { SecretList = [] } = await secrets.send(new ListSecretsCommand({ Filters, MaxResults: 1 }));
      return SecretList.length > 0;
    },
  };
}

async function readStack(client: CloudFormationClient, name: string) {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    const found = Stacks?.[0];
    return found === undefined
      ? undefined
      : {
          status: String(found.StackStatus),
          terminationProtection: found.EnableTerminationProtection === true,
        };
  } catch (error) {
    if (isMissingStack(error)) return undefined;
    throw error;
  }
}

async function listResources(client: CloudFormationClient, StackName: string): Promise<StackResource[]> {
  const found: StackResource[] = [];
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const {
        LogicalResourceId,
        ResourceType,
        PhysicalResourceId,
        ResourceStatus,
      } of StackResourceSummaries)
        if (
          PhysicalResourceId !== undefined &&
          ResourceStatus !== 'DELETE_COMPLETE' &&
          ResourceStatus !== 'DELETE_SKIPPED'
        )
          found.push({
            logicalId: String(LogicalResourceId),
            type: String(ResourceType),
            id: PhysicalResourceId,
          });
  } catch (error) {
    if (isMissingStack(error)) return [];
    throw error;
  }
  return found;
}

/** CloudFormation has no error of its own for a stack that does not exist. */
function isMissingStack(error: unknown): boolean {
  return error instanceof Error && /does not exist/.test(error.message);
}

async function readThrottle(client: APIGatewayClient): Promise<Throttle> {
  const { throttleSettings } = await client.send(new GetAccountCommand({}));
  const { rateLimit: requestsPerSecond, burstLimit: burst } = throttleSettings ?? {};
  if (requestsPerSecond === undefined || burst === undefined)
    throw new Error('API Gateway named no throttle');
  return { requestsPerSecond, burst };
}

async function readIndexes(client: DynamoDBClient, TableName: string): Promise<DeployedIndex[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema = [], Projection }) => ({
    name: String(IndexName),
    partition: KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName,
    sort: KeySchema.find(({ KeyType }) => KeyType === 'RANGE')?.AttributeName,
    include: Projection?.NonKeyAttributes ?? [],
  }));
}

async function readConcurrency(client: LambdaClient): Promise<Concurrency> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  if (quota === undefined || unreserved === undefined) throw new Error('Lambda named no quota');
  return { quota, unreserved };
}

/** Undefined where AWS answers with the error of that name. */
async function orUndefined<Output>(name: string, send: () => Promise<Output>): Promise<Output | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && error.name === name) return undefined;
    throw error;
  }
}
