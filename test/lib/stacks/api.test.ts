// The API stack: what is public, who may do what, and how a deployment is found.
import { describe, expect, it } from 'vitest';
import { onlyResource, type Resource, resourcesOf, synthesize, type Template } from '../synthesized.ts';

const stream = synthesize('dev').api;
const buffered = synthesize('prod', { transferMode: 'BUFFERED' }).api;
const both = [
  ['STREAM', stream],
  ['BUFFERED', buffered],
] as const;

interface Method extends Resource {
  readonly Properties: {
    readonly HttpMethod: string;
    readonly AuthorizationType: string;
    readonly AuthorizerId?: { readonly Ref: string };
    readonly ResourceId: { readonly Ref?: string };
    readonly Integration: Readonly<Record<string, unknown>>;
  };
}

function methods(template: Template): Method[] {
  return resourcesOf(template, 'AWS::ApiGateway::Method').map(([, method]) => method as unknown as Method);
}

/** The path of a resource, by following its parents to the root. */
function pathOf(template: Template, reference: { readonly Ref?: string }): string {
  const properties = reference.Ref === undefined ? undefined : template.Resources[reference.Ref]?.Properties;
  if (properties === undefined) return '';
  const parent = pathOf(template, properties['ParentId'] as { Ref?: string });
  return `${parent}/${String(properties['PathPart'])}`;
}

function functionOf(template: Template, description: string): [string, Resource] {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties['Description'] === description,
  );
  if (found === undefined) throw new Error(`no function: ${description}`);
  return found;
}

const authorizer = (template: Template) =>
  functionOf(template, 'Decides who may call a neuron')[1].Properties;
const executor = (template: Template) => functionOf(template, 'Runs the flow of a neuron')[1].Properties;

const BELOW_BASE = [
  ['POST', 'chat/completions'],
  ['POST', 'embeddings'],
  ['POST', 'responses'],
  ['POST', 'messages'],
  ['POST', 'v1/messages'],
  ['POST', 'messages/count_tokens'],
  ['POST', 'v1/messages/count_tokens'],
  ['GET', 'models'],
  ['GET', 'models/{model+}'],
  ['GET', 'v1/models'],
  ['GET', 'v1/models/{model+}'],
] as const;

describe.each(both)('the API in %s transfer', (_mode, template) => {
  it('has the routes with their preflight, and a response for every other method at any depth', () => {
    const found = methods(template).map(
      ({ Properties: { HttpMethod, ResourceId, Integration } }) =>
        `${HttpMethod} ${pathOf(template, ResourceId) || '/'} ${Integration['Type']}`,
    );
    expect(found.toSorted()).toEqual(
      [
        'ANY / MOCK',
        'ANY /{organization} MOCK',
        'ANY /{organization}/{neuron} MOCK',
        'ANY /{organization}/{neuron}/feedback MOCK',
        'ANY /{organization}/{neuron}/feedback/{proxy+} MOCK',
        'ANY /{organization}/{neuron}/{revision} MOCK',
        'ANY /{organization}/{neuron}/{revision}/{proxy+} MOCK',
        'OPTIONS /{organization}/{neuron} MOCK',
        'OPTIONS /{organization}/{neuron}/feedback MOCK',
        'OPTIONS /{organization}/{neuron}/{revision} MOCK',
        'POST /{organization}/{neuron} AWS_PROXY',
        'ANY /v1 MOCK',
        'ANY /v1/{organization} MOCK',
        'ANY /v1/{organization}/{neuron} MOCK',
        'ANY /v1/{organization}/{neuron}/{proxy+} MOCK',
        'POST /{organization}/{neuron}/feedback AWS_PROXY',
        'POST /{organization}/{neuron}/{revision} AWS_PROXY',
        ...['/v1/{organization}/{neuron}', '/v1/{organization}'].flatMap((base) => [
          ...['chat', 'v1'].map((part) => `ANY ${base}/${part} MOCK`),
          ...BELOW_BASE.flatMap(([method, path]) => [
            `ANY ${base}/${path} MOCK`,
            `OPTIONS ${base}/${path} MOCK`,
            `${method} ${base}/${path} AWS_PROXY`,
          ]),
        ]),
        ...['ANY', 'OPTIONS'].map((method) => `${method} /v1/{organization}/mcp MOCK`),
        'POST /v1/{organization}/mcp AWS_PROXY',
      ].toSorted(),
    );
  });

  it('puts every integration with a function behind the authorizer', () => {
    const [[id]] = resourcesOf(template, 'AWS::ApiGateway::Authorizer') as [[string, Resource]];
    const guarded = methods(template).filter(({ Properties }) => Properties.Integration['Type'] !== 'MOCK');
    expect(guarded).toHaveLength(26);
    for (const { Properties } of guarded) {
      expect(Properties.AuthorizationType).toBe('CUSTOM');
      expect(Properties.AuthorizerId).toEqual({ Ref: id });
    }
  });

  it('has no other type of authorization, which no validator would notice', () => {
    const kinds = new Set(methods(template).map(({ Properties }) => Properties.AuthorizationType));
    expect([...kinds].toSorted()).toEqual(['CUSTOM', 'NONE']);
  });

  it('invokes the authorizer for every request, with or without credentials', () => {
    const { Properties } = onlyResource(template, 'AWS::ApiGateway::Authorizer');
    expect(Properties['Type']).toBe('REQUEST');
    // A cached policy would hold for every neuron of the stage: the policies are for one request only.
    expect(Properties['AuthorizerResultTtlInSeconds']).toBe(0);
    expect(Properties).not.toHaveProperty('IdentitySource');
  });

  it('is regional, over IPv4 and TLS 1.2 or later', () => {
    expect(onlyResource(template, 'AWS::ApiGateway::RestApi').Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'ipv4' },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
  });

  it('logs errors only, without data and query strings', () => {
    const { Properties } = onlyResource(template, 'AWS::ApiGateway::Stage');
    const settings = Properties['MethodSettings'] as Record<string, unknown>[];
    expect(settings.map((each) => [each['LoggingLevel'], each['DataTraceEnabled']])).toEqual([
      ['ERROR', false],
    ]);
    const format = JSON.parse((Properties['AccessLogSetting'] as { Format: string }).Format);
    expect(format).toMatchObject({
      extendedRequestId: '$context.extendedRequestId',
      status: '$context.status',
    });
    expect(JSON.stringify(format)).not.toMatch(/querystring|header|authorizer\.(?!latency|error)/i);
  });

  it('has the outputs that describe the deployment, and no others', () => {
    expect(Object.keys(template.Outputs)).toEqual([
      'OperatorPolicy',
      'AuditorPolicy',
      'ViewerPolicy',
      'AuthorPolicy',
      'KeysPolicy',
      'RestorePolicy',
      'ExportPolicy',
      'ErasePolicy',
      'ApiUrl',
      'StageName',
      'ConfigTable',
      'KeysTable',
      'CountersTable',
      'CacheTable',
      'LogsTable',
      'UsageTable',
      'LogShards',
      'SecretPrefix',
      'TransferMode',
      'MaxDeadlineMs',
      'SettingsTtlMs',
      'SecretsTtlMs',
      'BedrockModels',
      'ProviderHosts',
      'CounterShards',
      'OrganizationConcurrency',
      'AuthorizerLogGroup',
      'ExecuteLogGroup',
    ]);
  });

  it('runs both functions on Node 24 for ARM, with a log group, memory and a timeout', () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], MemorySize: 1024 });
      const { LogGroup } = Properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      expect(template.Resources[LogGroup.Ref]?.Properties['RetentionInDays']).toBeGreaterThan(0);
    }
    expect(authorizer(template)['Timeout']).toBe(10);
  });
});

describe('streamed answers', () => {
  it('may take as long as the longest deadline, and leave time for the log', () => {
    const [first, second] = methods(stream).filter(({ Properties }) => Properties.HttpMethod === 'POST');
    for (const method of [first!, second!]) {
      expect(method.Properties.Integration).toMatchObject({
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: 270_000,
      });
      expect(JSON.stringify(method.Properties.Integration['Uri'])).toContain(
        'response-streaming-invocations',
      );
    }
    expect(executor(stream)['Timeout']).toBe(271);
  });

  it('follow the stage setting', () => {
    const { api } = synthesize('local', { maxDeadline: '30s' });
    const post = methods(api).find(({ Properties }) => Properties.HttpMethod === 'POST');
    expect(post?.Properties.Integration['TimeoutInMillis']).toBe(60_000);
    expect(executor(api)['Timeout']).toBe(61);
  });
});

describe('buffered answers', () => {
  it('end within the integration timeout of 29 seconds', () => {
    const post = methods(buffered).find(({ Properties }) => Properties.HttpMethod === 'POST');
    expect(post?.Properties.Integration).toMatchObject({ TimeoutInMillis: 29_000 });
    expect(post?.Properties.Integration['ResponseTransferMode']).not.toBe('STREAM');
    expect(JSON.stringify(post?.Properties.Integration['Uri'])).not.toContain('streaming');
    expect(executor(buffered)['Timeout']).toBe(30);
  });

  it('and streamed ones are given up by the integration before Lambda ends the function: 503, not 500', () => {
    for (const one of [stream, buffered, synthesize('local', { maxDeadline: '30s' }).api]) {
      const post = methods(one).find(({ Properties }) => Properties.HttpMethod === 'POST');
      const integrationMs = Number(post?.Properties.Integration['TimeoutInMillis']);
      expect(Number(executor(one)['Timeout']) * 1000).toBeGreaterThan(integrationMs);
    }
  });
});

describe('stages', () => {
  it('set throttles, reserved concurrency and durations', () => {
    const { api } = synthesize('dev', {
      throttle: { requestsPerSecond: 3, burst: 7 },
      reservedConcurrency: { authorizer: 11, execution: 13 },
      settingsTtl: '2s',
      secretsTtl: '6s',
      keySetsTtl: '7s',
      keySetsMaxStale: '8m',
      keySetsRefetchAfter: '9s',
      keySetsErrorBackoff: '3s',
    });
    expect(onlyResource(api, 'AWS::ApiGateway::Stage').Properties['MethodSettings']).toMatchObject([
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 3, ThrottlingBurstLimit: 7 },
    ]);
    expect(authorizer(api)['ReservedConcurrentExecutions']).toBe(11);
    expect(executor(api)['ReservedConcurrentExecutions']).toBe(13);
    expect((executor(api)['Environment'] as { Variables: unknown }).Variables).toMatchObject({
      SETTINGS_TTL_MS: '2000',
      SETTINGS_MAX_STALE_MS: '60000',
      SECRETS_TTL_MS: '6000',
      TRANSFER_MODE: 'STREAM',
    });
    expect((authorizer(api)['Environment'] as { Variables: unknown }).Variables).toMatchObject({
      SECRETS_TTL_MS: '6000',
      KEY_SETS_TTL_MS: '7000',
      KEY_SETS_MAX_STALE_MS: '480000',
      KEY_SETS_REFETCH_AFTER_MS: '9000',
      KEY_SETS_ERROR_BACKOFF_MS: '3000',
    });
  });

  it('retain log groups in production only', () => {
    const policies = (template: Template) =>
      new Set(resourcesOf(template, 'AWS::Logs::LogGroup').map(([, { DeletionPolicy }]) => DeletionPolicy));
    expect([...policies(stream)]).toEqual(['Delete']);
    expect([...policies(buffered)]).toEqual(['RetainExceptOnCreate']);
  });

  it('own the log group that API Gateway would make itself and keep forever, before the stage writes to it', () => {
    const [id, { Properties }] = resourcesOf(stream, 'AWS::Logs::LogGroup').find(([, group]) =>
      JSON.stringify(group.Properties['LogGroupName'])?.includes('API-Gateway-Execution-Logs_'),
    )!;
    const [[restApi]] = resourcesOf(stream, 'AWS::ApiGateway::RestApi') as [[string, Resource]];
    expect(Properties).toMatchObject({
      LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: restApi }, '/dev']] },
      RetentionInDays: 14,
    });
    expect(onlyResource(stream, 'AWS::ApiGateway::Stage')).toMatchObject({
      DependsOn: expect.arrayContaining([id]),
    });
  });

  it('set the CloudWatch role of the account where accountLogRole is true, and retain it', () => {
    expect(onlyResource(stream, 'AWS::ApiGateway::Account').DeletionPolicy).toBe('Retain');
    expect(resourcesOf(synthesize('local').api, 'AWS::ApiGateway::Account')).toEqual([]);
  });
});
