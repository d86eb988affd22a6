// Least privilege: every statement of the functions' roles, written out by hand.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../synthesized.ts';

const { api } = synthesize('dev');

/** A resource in short: `ConfigTable` for the import of its ARN, `secret:…` for a secret, the literal otherwise. */
function short(resource: unknown): string {
  const text = JSON.stringify(resource);
  const stream = /ExportsOutputFnGetAtt([A-Za-z]+Table)StreamArn/.exec(text)?.[1];
  if (stream !== undefined) return `stream of ${stream}`;
  const table = /ExportsOutputFnGetAtt([A-Za-z]+Table)Arn/.exec(text)?.[1];
  const rest = /"(\/index\/[A-Za-z0-9]+)"/.exec(text)?.[1] ?? '';
  const own = /"Fn::GetAtt":\["(Authorizer|Executor|Rollup)ServiceLogs/.exec(text)?.[1];
  if (table !== undefined) return table + rest;
  return own === undefined ? (/":(secret:[^"]+)"/.exec(text)?.[1] ?? text) : `${own} log group`;
}

interface Statement {
  readonly Action: unknown;
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

function statements(owner: string): string[] {
  const policies = resourcesOf(api, 'AWS::IAM::Policy').filter(([id]) => id.startsWith(owner));
  return policies.flatMap(([, { Properties }]) => {
    const { Statement } = Properties['PolicyDocument'] as {
      Statement: { Effect: string; Action: string | string[]; Resource: unknown }[];
    };
    return Statement.flatMap(({ Effect, Action, Resource }) =>
      [Resource].flat().map((each) => `${Effect} ${[Action].flat().join(' ')} on ${short(each)}`),
    );
  });
}

const LOG = 'logs:CreateLogStream logs:PutLogEvents';
const TRACE = 'Allow xray:PutTelemetryRecords xray:PutTraceSegments on "*"';

describe('the roles of the functions', () => {
  it('allow the authorizer to read settings, keys and JWT secrets, and to append to the log', () => {
    expect(statements('AuthorizerService')).toEqual([
      `Allow ${LOG} on Authorizer log group`,
      'Allow dynamodb:BatchGetItem dynamodb:GetItem on ConfigTable',
      'Allow dynamodb:GetItem on KeysTable',
      'Allow dynamodb:PutItem on LogsTable',
      TRACE,
      'Allow secretsmanager:GetSecretValue on secret:neuron/dev/*/jwt',
      'Allow secretsmanager:GetSecretValue on secret:neuron/dev/*/jwt-??????',
    ]);
  });

  it('allow the execution function to read settings, count, cache and append to the log', () => {
    expect(statements('ExecutorService')).toEqual([
      `Allow ${LOG} on Executor log group`,
      'Allow dynamodb:BatchGetItem dynamodb:GetItem on ConfigTable',
      'Allow dynamodb:Query on ConfigTable',
      'Allow dynamodb:GetItem dynamodb:UpdateItem on CountersTable',
      'Allow dynamodb:GetItem dynamodb:PutItem on CacheTable',
      'Allow dynamodb:DeleteItem on CacheTable',
      'Allow dynamodb:SearchVectors on CacheTable/index/semantic1',
      'Allow dynamodb:PutItem on LogsTable',
      TRACE,
      'Allow secretsmanager:GetSecretValue on secret:neuron/dev/*/providers',
      'Allow secretsmanager:GetSecretValue on secret:neuron/dev/*/providers-??????',
    ]);
  });

  it('allow the execution function the models of the stage settings, and the model of an inference profile through it only', () => {
    const bedrock = [
      { region: 'us-east-1', models: ['amazon.titan-embed-text-v2:0', 'us.amazon.nova-lite-v1:0'] },
      { region: 'eu-west-1', models: ['global.anthropic.claude-x-v1:0'] },
    ];
    const template = synthesize('dev', { region: 'eu-central-1', bedrock }).api;
    const found = resourcesOf(template, 'AWS::IAM::Policy').flatMap(([id, { Properties }]) => {
      const { Statement } = Properties['PolicyDocument'] as { Statement: { Action: unknown }[] };
      return Statement.filter(({ Action }) => String(Action).startsWith('bedrock:')).map((one) => ({
        id,
        one,
      }));
    });
    expect(found.every(({ id }) => id.startsWith('ExecutorService'))).toBe(true);
    const model = (region: string, id: string) => `arn:aws:bedrock:${region}::foundation-model/${id}`;
    const profile = (region: string, id: string) => ({
      'Fn::Join': ['', [`arn:aws:bedrock:${region}:`, { Ref: 'AWS::AccountId' }, `:inference-profile/${id}`]],
    });
    const nova = profile('us-east-1', 'us.amazon.nova-lite-v1:0');
    const claude = profile('eu-west-1', 'global.anthropic.claude-x-v1:0');
    const through = (arn: unknown) => ({ StringEquals: { 'bedrock:InferenceProfileArn': arn } });
    const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];
    const invoke = { Action: actions, Effect: 'Allow' };
    expect(found.map(({ one }) => one)).toEqual([
      {
        ...invoke,
        Sid: 'CallModels',
        Resource: [model('us-east-1', 'amazon.titan-embed-text-v2:0'), claude, nova],
      },
      {
        ...invoke,
        Sid: 'CallThroughProfile1',
        Resource: model('*', 'amazon.nova-lite-v1:0'),
        Condition: through(nova),
      },
      {
        ...invoke,
        Sid: 'CallThroughProfile2',
        Resource: model('*', 'anthropic.claude-x-v1:0'),
        Condition: through(claude),
      },
    ]);
    expect(template.Outputs['BedrockModels']?.Value).toBe(JSON.stringify(bedrock));
  });

  it('allow the execution function the guardrails of the stage settings, their profiles, and checks in their regions', () => {
    const bedrock = [
      { region: 'us-east-1', guardrails: ['abc123'], guardrailProfiles: ['us.guardrail.v1:0'] },
      { region: 'eu-north-1', guardrailChecks: true },
    ];
    const template = synthesize('dev', { region: 'eu-central-1', bedrock }).api;
    const found = resourcesOf(template, 'AWS::IAM::Policy').flatMap(([id, { Properties }]) => {
      const { Statement } = Properties['PolicyDocument'] as { Statement: { Action: unknown }[] };
      return Statement.filter(({ Action }) => String(Action).startsWith('bedrock:')).map((one) => [id, one]);
    });
    const own = (region: string, rest: string) => ({
      'Fn::Join': ['', [`arn:aws:bedrock:${region}:`, { Ref: 'AWS::AccountId' }, `:${rest}`]],
    });
    const executor = expect.stringMatching(/^ExecutorService/);
    expect(found).toEqual([
      [
        executor,
        {
          Action: 'bedrock:ApplyGuardrail',
          Effect: 'Allow',
          Sid: 'ApplyGuardrails',
          Resource: [own('*', 'guardrail-profile/us.guardrail.v1:0'), own('us-east-1', 'guardrail/abc123')],
        },
      ],
      [
        executor,
        {
          Action: 'bedrock:InvokeGuardrailChecks',
          Effect: 'Allow',
          Sid: 'CheckTexts',
          Resource: '*',
          Condition: { StringEquals: { 'aws:RequestedRegion': ['eu-north-1'] } },
        },
      ],
    ]);
  });

  it('allow both functions to put entries of neurons into the log, and no change of an operator', () => {
    for (const owner of ['AuthorizerService', 'ExecutorService']) {
      const puts = resourcesOf(api, 'AWS::IAM::Policy')
        .filter(([id]) => id.startsWith(owner))
        .flatMap(
          ([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement,
        )
        .filter(({ Action, Resource }) => Action === 'dynamodb:PutItem' && short(Resource) === 'LogsTable');
      expect(puts.map(({ Condition }) => Condition)).toEqual([
        {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['????????????????????????#????-??-??T??#*'] },
        },
      ]);
    }
  });

  it('allow the execution function to delete records of idempotency keys, and no cached answer', () => {
    const deletions = resourcesOf(api, 'AWS::IAM::Policy')
      .filter(([id]) => id.startsWith('ExecutorService'))
      .flatMap(([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement)
      .filter(({ Action }) => Action === 'dynamodb:DeleteItem');
    expect(deletions.map(({ Condition }) => Condition)).toEqual([
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['I#*'] } },
    ]);
  });

  it("allow the rollup function to read the log table's stream, to add usage and seals, and to find, keep and send alerts", () => {
    expect(statements('RollupService')).toEqual([
      `Allow ${LOG} on Rollup log group`,
      'Allow dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator on stream of LogsTable',
      'Allow dynamodb:ListStreams on "*"',
      'Allow dynamodb:UpdateItem on UsageTable',
      'Allow dynamodb:GetItem dynamodb:Query on UsageTable',
      expect.stringMatching(/^Allow s3:PutObject on .*RollupDroppedBatches.*aws\/lambda\/\*/),
      expect.stringMatching(/^Allow s3:ListBucket on .*RollupDroppedBatches/),
      'Allow dynamodb:GetItem on ConfigTable',
      'Allow dynamodb:GetItem on KeysTable',
      'Allow dynamodb:Query on KeysTable/index/byOrganization1',
      'Allow dynamodb:GetItem on CountersTable',
      'Allow dynamodb:GetItem on UsageTable',
      'Allow dynamodb:DeleteItem dynamodb:Query on UsageTable',
      expect.stringMatching(/^Allow events:PutEvents on .*:event-bus\/default"/),
    ]);
  });

  it('allow the rollup function to read organizations only, to read and delete no usage but seals and alerts, and to send no other events', () => {
    const conditions = resourcesOf(api, 'AWS::IAM::Policy')
      .filter(([id]) => id.startsWith('RollupService'))
      .flatMap(([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement)
      .flatMap(({ Action, Resource, Condition }) =>
        Condition === undefined ? [] : [[[Action].flat(), short(Resource), Condition]],
      );
    const keys = (operator: string, key: string) => ({ [operator]: { 'dynamodb:LeadingKeys': [key] } });
    const seals = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SEAL#*', 'SEALS'] } };
    expect(conditions).toEqual([
      [['dynamodb:GetItem', 'dynamodb:Query'], 'UsageTable', seals],
      [['dynamodb:GetItem'], 'ConfigTable', keys('ForAllValues:StringLike', 'ORG#*')],
      [['dynamodb:GetItem'], 'UsageTable', keys('ForAllValues:StringLike', 'ALERTS#*')],
      [['dynamodb:DeleteItem', 'dynamodb:Query'], 'UsageTable', keys('ForAllValues:StringEquals', 'ALERTS')],
      [
        ['events:PutEvents'],
        expect.any(String),
        {
          StringEquals: {
            'events:source': 'neuron-execution-service',
            'events:detail-type': ['Usage Limit Share Reached', 'Feedback Received'],
          },
        },
      ],
    ]);
  });

  it('have no managed policy; only the account role has one', () => {
    const managed = resourcesOf(api, 'AWS::IAM::Role').filter(
      ([, { Properties }]) => Properties['ManagedPolicyArns'] !== undefined,
    );
    expect(managed.map(([id]) => id)).toEqual([expect.stringMatching(/CloudWatchRole/)]);
  });

  it('are invoked by API Gateway for this API only, and not from the test button of the console', () => {
    const all = resourcesOf(api, 'AWS::Lambda::Permission');
    // Those of schedules are named with them.
    const permissions = all.flatMap(([id, { Properties }]) =>
      /^(?:Rollup|RolloutWatch|HeadWriter)/.test(id) ? [] : [Properties],
    );
    expect(permissions).toHaveLength(27);
    for (const permission of permissions) {
      expect(permission['Principal']).toBe('apigateway.amazonaws.com');
      const source = JSON.stringify(permission['SourceArn']);
      expect(source).toMatch(/\/(?:POST|GET)\/(?:\*|v1\/\*)|\/authorizers\//);
      expect(source).not.toContain('test-invoke-stage');
    }
  });
});
