// The service's own rules over templates: each refuses its example and accepts the fixed one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ServiceChecks } from '../../../lib/checks/service-checks.ts';
import type { StageSettings } from '../../../lib/config/config.ts';
import { defineStage } from '../../../lib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';

type Resources = Readonly<Record<string, object>>;

/** Which rule is broken by which resource. */
function broken(resources: Resources, settings: Partial<StageSettings> = {}): string[] {
  mkdirSync(folder, { recursive: true });
  const template = join(folder, 'example.template.json');
  writeFileSync(template, JSON.stringify({ Resources: resources }));
  const checks = new ServiceChecks(defineStage({ name: 'own', ...settings }));
  const { success, violations } = checks.validate({
    templatePaths: [template],
    stackTemplates: [],
    appConstruct: new App({ outdir: folder }),
  });
  expect(success).toBe(violations.length === 0);
  return violations.map(
    ({ ruleName, violatingResources: [resource] }) => `${ruleName} ${resource?.resourceLogicalId}`,
  );
}

const group = { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 7 } };
const whole = {
  Timeout: 3,
  ReservedConcurrentExecutions: 5,
  LoggingConfig: { LogGroup: { Ref: 'Group' } },
};
const lambda = (properties: object) => ({
  Group: group,
  It: { Type: 'AWS::Lambda::Function', Properties: properties },
});
const method = (properties: object) => ({ It: { Type: 'AWS::ApiGateway::Method', Properties: properties } });
const proxy = { Integration: { Type: 'AWS_PROXY' } };
const api = (policy?: string) => ({
  It: {
    Type: 'AWS::ApiGateway::RestApi',
    Properties: policy === undefined ? {} : { SecurityPolicy: policy },
  },
});
const safe = {
  DeletionProtectionEnabled: true,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
};
const table = (replica: object, more: object = {}, policy = 'Retain') => ({
  It: {
    Type: 'AWS::DynamoDB::GlobalTable',
    DeletionPolicy: policy,
    Properties: { Replicas: [replica], ...more },
  },
});

describe("the service's own rules", () => {
  it.each<[string, Resources, string[]]>([
    ['a function without timeout', lambda({ ...whole, Timeout: undefined }), ['FunctionWithoutTimeout It']],
    [
      'a function without log group',
      lambda({ ...whole, LoggingConfig: {} }),
      ['FunctionWithoutRetention It'],
    ],
    [
      'a function whose log is kept forever',
      { ...lambda(whole), Group: { Type: 'AWS::Logs::LogGroup', Properties: {} } },
      ['FunctionWithoutRetention It'],
    ],
    [
      'a function without reserved concurrency',
      lambda({ ...whole, ReservedConcurrentExecutions: undefined }),
      ['FunctionWithoutConcurrencyLimit It'],
    ],
    [
      'an open integration',
      method({ ...proxy, AuthorizationType: 'NONE' }),
      ['IntegrationWithoutAuthorizer It'],
    ],
    [
      'an integration with no authorizer named',
      method({ ...proxy, AuthorizationType: 'CUSTOM' }),
      ['IntegrationWithoutAuthorizer It'],
    ],
    [
      'an integration with another authorization',
      method({ ...proxy, AuthorizationType: 'AWS_IAM' }),
      ['IntegrationWithoutAuthorizer It'],
    ],
    [
      'an authorizer that remembers',
      { It: { Type: 'AWS::ApiGateway::Authorizer', Properties: { AuthorizerResultTtlInSeconds: 300 } } },
      ['AuthorizerWithCache It'],
    ],
    ['an API without a TLS policy', api(), ['OldTls It']],
    ['an API with TLS 1.0', api('TLS_1_0'), ['OldTls It']],
    ['a table without backups', table({ DeletionProtectionEnabled: true }), ['TableWithoutRecovery It']],
    [
      'a table that can be deleted',
      table({ ...safe, DeletionProtectionEnabled: false }),
      ['TableWithoutRecovery It'],
    ],
    ['a table that goes with its stack', table(safe, {}, 'Delete'), ['TableWithoutRecovery It']],
  ])('refuses %s', (_what, resources, expected) => {
    expect(broken(resources)).toEqual(expected);
  });

  it('refuses a table without the KMS key that its stage names', () => {
    expect(broken(table(safe), { encryptionKeyArn: KEY })).toEqual(['TableWithoutKey It']);
    expect(broken(table(safe, { SSESpecification: { SSEType: 'KMS' } }), { encryptionKeyArn: KEY })).toEqual(
      [],
    );
  });

  it.each<[string, string, object, object]>([
    ['log group', 'AWS::Logs::LogGroup', { RetentionInDays: 7 }, { KmsKeyId: KEY }],
    ['topic', 'AWS::SNS::Topic', {}, { KmsMasterKeyId: KEY }],
    ['queue', 'AWS::SQS::Queue', {}, { KmsMasterKeyId: KEY }],
    [
      'bucket',
      'AWS::S3::Bucket',
      {},
      {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { KMSMasterKeyID: KEY } }],
        },
      },
    ],
    [
      'delivery stream',
      'AWS::KinesisFirehose::DeliveryStream',
      { DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' } },
      { DeliveryStreamEncryptionConfigurationInput: { KeyARN: KEY } },
    ],
  ])('refuse a %s without the KMS key that its stage names', (_what, Type, without, added) => {
    const resource = (Properties: object) => ({ It: { Type, Properties } });
    expect(broken(resource(without), { encryptionKeyArn: KEY })).toEqual(['ResourceWithoutKey It']);
    expect(broken(resource({ ...without, ...added }), { encryptionKeyArn: KEY })).toEqual([]);
    expect(broken(resource(without))).toEqual([]);
  });

  it.each<[string, Resources]>([
    ['a whole function', lambda(whole)],
    ['a guarded integration', method({ ...proxy, AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'A' } })],
    ['a constant answer', method({ Integration: { Type: 'MOCK' }, AuthorizationType: 'NONE' })],
    ['TLS 1.2', api('TLS_1_2')],
    ['TLS 1.2 and 1.3', api('SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09')],
    ['a table that can be restored', table(safe)],
  ])('accept %s', (_what, resources) => {
    expect(broken(resources)).toEqual([]);
  });

  it('accept an unprotected table where protectData is false', () => {
    expect(broken(table({}, {}, 'Delete'), { protectData: false })).toEqual([]);
  });
});
