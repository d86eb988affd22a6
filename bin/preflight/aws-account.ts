// The account behind the preflight's port. Three of its calls are signed here: a client of the AWS SDK for each would be three packages more.
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SignatureV4 } from '@smithy/signature-v4';
import { clientConfig } from '../../cli/session/aws-client-config.ts';
import type { Account } from './account.ts';

/** Version of the bootstrap with the CDK's default qualifier (cdk/v2/guide/bootstrapping-customizing.html). */
const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';

const TIMEOUT_MS = 15_000;

export interface AwsAccountOptions {
  /** @default that of the AWS configuration */
  readonly region: string | undefined;
  readonly profile: string | undefined;
}

/** An answer that is not 2xx, by the name that AWS gives the error. */
class AwsError extends Error {}

interface Call {
  readonly service: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of the protocol `application/x-amz-json-1.1`. */
  readonly target?: string;
  readonly body?: string;
}

/** Reads the account of the AWS configuration. */
export function openAwsAccount(
  { region, profile }: AwsAccountOptions,
  fetcher: typeof fetch = fetch,
): Account {
  const config = clientConfig({ region, profile, local: undefined });
  const stacks = new CloudFormationClient(config);
  const secrets = new SecretsManagerClient(config);
  const call = (request: Call) => send(stacks, request, fetcher);
  return {
    readStack: (name) => readStack(stacks, name),
    async readConcurrency() {
      const path = '/2016-08-19/account-settings/';
      const { AccountLimit } = (await call({ service: 'lambda', method: 'GET', path })) as {
        AccountLimit: { ConcurrentExecutions: number; UnreservedConcurrentExecutions: number };
      };
      const { ConcurrentExecutions, UnreservedConcurrentExecutions } = AccountLimit;
      return { quota: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
    },
    async readBootstrapVersion() {
      const body = JSON.stringify({ Name: BOOTSTRAP_PARAMETER });
      const target = 'AmazonSSM.GetParameter';
      const found = await orUndefined('ParameterNotFound', () =>
        call({ service: 'ssm', method: 'POST', path: '/', target, body }),
      );
      return found === undefined
        ? undefined
        : Number((found as { Parameter: { Value: string } }).Parameter.Value);
    },
    async readLogRole() {
      const account = await call({ service: 'apigateway', method: 'GET', path: '/account' });
      return (account as { cloudwatchRoleArn?: string }).cloudwatchRoleArn;
    },
    async hasDomain(name) {
      const path = `/domainnames/${name}`;
      const found = await orUndefined('NotFoundException', () =>
        call({ service: 'apigateway', method: 'GET', path }),
      );
      return found !== undefined;
    },
    async hasSecrets(prefix) {
      const Filters = [{ Key: 'name' as const, Values: [prefix] }];
      const { SecretList } = await secrets.send(new ListSecretsCommand({ Filters, MaxResults: 1 }));
      return (SecretList ?? []).length > 0;
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
    // CloudFormation has no error of its own for a stack that does not exist.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

async function orUndefined(name: string, read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AwsError && error.name === name) return undefined;
    throw error;
  }
}

/** Sends a signed call with the credentials and the region of a client. */
async function send(
  client: CloudFormationClient,
  { service, method, path, target, body }: Call,
  fetcher: typeof fetch,
): Promise<unknown> {
  const region = await client.config.region();
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const hostname = `${service}.${region}.${suffix}`;
  const { sha256, credentials } = client.config;
  const signer = new SignatureV4({ service, region, sha256, credentials });
  const headers = {
    host: hostname,
    accept: 'application/json',
    ...(target === undefined ? {} : { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target }),
  };
  const signed = await signer.sign({
    ...{ method, protocol: 'https:', hostname, path, headers, query: {} },
    ...(body === undefined ? {} : { body }),
  });
  const { host: _setByTheConnection, ...sent } = signed.headers;
  const response = await fetcher(`https://${hostname}${path}`, {
    ...{ method, headers: sent, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw toError(response, text);
  return JSON.parse(text) as unknown;
}

/** The name of an error is in a header or in the member `__type` (smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html). */
function toError({ status, headers }: Response, text: string): AwsError {
  let body: { readonly __type?: unknown; readonly message?: unknown; readonly Message?: unknown } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not every error is JSON; its status remains.
  }
  const named = headers.get('x-amzn-errortype') ?? String(body.__type ?? `status ${status}`);
  const error = new AwsError(String(body.message ?? body.Message ?? `status ${status}`));
  error.name = named.replace(/^.*#/, '').replace(/:.*$/, '');
  return error;
}
