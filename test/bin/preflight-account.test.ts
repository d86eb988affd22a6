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
          body: new TextDecoder().decode(text),
        });
        const bytes = Readable.from([Buffer.from(JSON.stringify(body))]);
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

  it('throws any other error under the name that AWS gives it', async () => {
    const denied = accountAnswering(403, { message: 'no' }, { 'x-amzn-errortype': 'AccessDeniedException' });
    await expect(denied.account.readConcurrency()).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: 'no',
    });
    await expect(denied.account.hasDomain('n.example.com')).rejects.toThrow('no');
  });
});
