// The calls of the preflight: where they go, under which name they are signed, and what is made of the answers.
import { Readable } from 'node:stream';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAwsAccount } from '../../bin/preflight/aws-account.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAOFATEST');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-a-test');
  vi.stubEnv('AWS_PROFILE', undefined);
});
afterEach(() => vi.unstubAllEnvs());

function accountAnswering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const sent: Sent[] = [];
  const account = openAwsAccount(
    { region: 'eu-central-1', profile: undefined },
    {
      async handle({ protocol, hostname, path, method, headers: named, body: text }: HttpRequest) {
        sent.push({
          url: `${protocol}//${hostname}${path}`,
          method,
          headers: named,
          body: typeof text === 'string' ? text : new TextDecoder().decode(text),
        });
        const bytes = Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]);
        return { response: new HttpResponse({ statusCode: status, headers, body: bytes }) };
      },
    },
  );
  return { account, sent };
}

describe('the account', () => {
  it("reads Lambda's account settings", async () => {
    const limits = { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 8 };
    const { account, sent } = accountAnswering(200, { AccountLimit: limits });
    expect(await account.readConcurrency()).toEqual({ quota: 10, unreserved: 8 });
    expect(sent).toMatchObject([
      { url: 'https://lambda.eu-central-1.amazonaws.com/2016-08-19/account-settings', method: 'GET' },
    ]);
    expect(sent[0]?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAOFATEST\/[0-9]{8}\/eu-central-1\/lambda\/aws4_request, /,
    );
  });

  it('reads the version of the bootstrap, which may be missing', async () => {
    const { account, sent } = accountAnswering(200, { Parameter: { Value: '28' } });
    expect(await account.readBootstrapVersion()).toBe(28);
    expect(sent).toMatchObject([
      {
        url: 'https://ssm.eu-central-1.amazonaws.com/',
        method: 'POST',
        headers: { 'x-amz-target': 'AmazonSSM.GetParameter', 'content-type': 'application/x-amz-json-1.1' },
        body: '{"Name":"/cdk-bootstrap/hnb659fds/version"}',
      },
    ]);
    const missing = accountAnswering(400, { __type: 'com.amazonaws.ssm#ParameterNotFound' });
    expect(await missing.account.readBootstrapVersion()).toBeUndefined();
  });

  it("reads API Gateway's log role and domains", async () => {
    const { account, sent } = accountAnswering(200, { cloudwatchRoleArn: 'arn:aws:iam::1:role/logs' });
    expect(await account.readLogRole()).toBe('arn:aws:iam::1:role/logs');
    expect(await account.hasDomain('n.example.com')).toBe(true);
    expect(sent.map(({ url }) => url)).toEqual([
      'https://apigateway.eu-central-1.amazonaws.com/account',
      'https://apigateway.eu-central-1.amazonaws.com/domainnames/n.example.com',
    ]);
    expect(await accountAnswering(200, {}).account.readLogRole()).toBeUndefined();
    const missing = accountAnswering(404, {}, { 'x-amzn-errortype': 'NotFoundException:http://x' });
    expect(await missing.account.hasDomain('n.example.com')).toBe(false);
  });

  it("reads API Gateway's throttle", async () => {
    const throttleSettings = { rateLimit: 10_000, burstLimit: 5000 };
    const { account } = accountAnswering(200, { throttleSettings });
    expect(await account.readThrottle()).toEqual({ requestsPerSecond: 10_000, burst: 5000 });
    await expect(accountAnswering(200, {}).account.readThrottle()).rejects.toThrow('named no throttle');
  });

  it('finds a log group by its whole name', async () => {
    const logGroups = [{ logGroupName: 'aws-waf-logs-Own-2' }];
    const { account, sent } = accountAnswering(200, { logGroups });
    expect(await account.hasLogGroup('aws-waf-logs-Own')).toBe(false);
    expect(await account.hasLogGroup('aws-waf-logs-Own-2')).toBe(true);
    expect(sent[0]?.body).toBe('{"logGroupNamePrefix":"aws-waf-logs-Own","limit":50}');
  });

  it('reads the indexes of a table', async () => {
    const index = {
      IndexName: 'a1',
      KeySchema: [
        { AttributeName: 'p', KeyType: 'HASH' },
        { AttributeName: 's', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x'] },
    };
    const { account } = accountAnswering(200, { Table: { GlobalSecondaryIndexes: [index] } });
    expect(await account.readIndexes('keys')).toEqual([
      { name: 'a1', partition: 'p', sort: 's', include: ['x'] },
    ]);
    expect(await accountAnswering(200, { Table: {} }).account.readIndexes('config')).toEqual([]);
  });

  it('lists the resources that a stack has, and none of a stack that does not exist', async () => {
    const member = (id: string, status: string) =>
      `<member><LogicalResourceId>L${id}</LogicalResourceId><ResourceType>T</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus></member>`;
    const listed = `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${member('a', 'CREATE_COMPLETE')}${member('b', 'DELETE_SKIPPED')}${member('c', 'DELETE_COMPLETE')}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`;
    const { account } = accountAnswering(200, listed);
    expect(await account.listResources('Own')).toEqual([{ logicalId: 'La', type: 'T', id: 'a' }]);
    const error =
      '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Own does not exist</Message></Error></ErrorResponse>';
    expect(await accountAnswering(400, error).account.listResources('Own')).toEqual([]);
  });

  it('throws any other error under the name that AWS gives it', async () => {
    const denied = accountAnswering(403, { message: 'no' }, { 'x-amzn-errortype': 'AccessDeniedException' });
    await expect(denied.account.readConcurrency()).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: 'no',
    });
    await expect(denied.account.hasDomain('n.example.com')).rejects.toThrow('no');
  });
});
