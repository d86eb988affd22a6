// The stage's KMS key: what it encrypts, who may use it through which service, and the policy of a key that the app makes itself.
import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import type { StageSettings } from '../../../lib/config/config.ts';
import { NeuronService, type NeuronServiceProps } from '../../../lib/constructs/neuron-service.ts';
import { defineStage } from '../../../lib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onlyResource, plainApp, resourcesOf, stubCode, type Template } from '../synthesized.ts';

const outdir = temporaryFolder();
const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:alerts';
const TOPIC_KEY = 'arn:aws:kms:eu-central-1:111122223333:key/99999999-0000-4000-8000-000000000000';

type Parts = (stack: Stack) => Omit<NeuronServiceProps, 'stage'>;

/** With everything that can be encrypted: a topic, the bucket of dropped batches, WAF's log and a stream into a bucket. */
function synthesize(
  settings: Partial<StageSettings>,
  parts: Parts = () => ({}),
  grant: (service: NeuronService) => void = () => {},
): Template {
  const app = plainApp(outdir);
  const stack = new Stack(app, 'Own', { env: { account: '111122223333', region: 'eu-central-1' } });
  const service = new NeuronService(stack, 'Neurons', {
    stage: defineStage({
      name: 'own',
      firewall: { requestsPerAddress: 600, logs: true },
      traces: { endpoint: 'https://otlp.example.com/v1/traces' },
      logHeads: {},
      alarms: { addresses: ['team@example.com'] },
      ...settings,
    }),
    code: stubCode(),
    logBucket: Bucket.fromBucketName(stack, 'AccessLogs', 'logs-of-ours'),
    ...parts(stack),
  });
  grant(service);
  return app.synth().getStackByName('Own').template as Template;
}

const text = (value: unknown) => JSON.stringify(value);
const properties = (template: Template, type: string) =>
  resourcesOf(template, type).map(([, { Properties }]) => Properties);

/** Actions and services of the statements that name the key, of the role whose policy has this beginning. */
function usesOf(template: Template, role: string, key = KEY): string[] {
  const [, { Properties }] = resourcesOf(template, 'AWS::IAM::Policy').find(([id]) => id.includes(role))!;
  const { Statement } = Properties['PolicyDocument'] as {
    readonly Statement: readonly {
      readonly Action: string | string[];
      readonly Resource: unknown;
      readonly Condition?: { readonly StringEquals?: Readonly<Record<string, string>> };
    }[];
  };
  return Statement.filter(({ Resource }) => Resource === key)
    .map(
      ({ Action, Condition }) =>
        `${[Action].flat().join(' ')} ${Condition?.StringEquals?.['kms:ViaService']}`,
    )
    .toSorted();
}

describe('the KMS key of a stage', () => {
  it('encrypts each log group, environment, topic, bucket and delivery stream', () => {
    const template = synthesize({ encryptionKeyArn: KEY });
    const groups = properties(template, 'AWS::Logs::LogGroup');
    // Six functions, API Gateway's execution log, WAF's log, and Firehose's errors.
    expect(groups.map(({ KmsKeyId }) => KmsKeyId)).toEqual(Array(9).fill(KEY));
    const functions = properties(template, 'AWS::Lambda::Function');
    expect(functions.map(({ KmsKeyArn }) => KmsKeyArn)).toEqual(Array(6).fill(KEY));
    expect(onlyResource(template, 'AWS::SNS::Topic').Properties['KmsMasterKeyId']).toBe(KEY);
    expect(onlyResource(template, 'AWS::S3::Bucket').Properties['BucketEncryption']).toEqual({
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: KEY },
        },
      ],
    });
    expect(
      onlyResource(template, 'AWS::KinesisFirehose::DeliveryStream').Properties[
        'DeliveryStreamEncryptionConfigurationInput'
      ],
    ).toEqual({ KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: KEY });
  });

  it('is in no resource of a stage without it, and in no output', () => {
    const template = synthesize({});
    expect(text(template)).not.toMatch(/KmsKeyId|KmsKeyArn|KmsMasterKeyId|aws:kms|"kms:/);
    expect(template.Outputs).not.toHaveProperty('EncryptionKeyArn');
  });

  it('is an output, by which the command encrypts secrets', () => {
    expect(synthesize({ encryptionKeyArn: KEY }).Outputs['EncryptionKeyArn']).toEqual({ Value: KEY });
  });

  it('may be used by each function through the services that it calls, and through no other', () => {
    const template = synthesize({ encryptionKeyArn: KEY });
    const tables =
      'kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey dynamodb.eu-central-1.amazonaws.com';
    const secrets = 'kms:Decrypt secretsmanager.eu-central-1.amazonaws.com';
    expect(usesOf(template, 'AuthorizerService')).toEqual([tables, secrets]);
    expect(usesOf(template, 'ExecutorService')).toEqual([tables, secrets]);
    expect(usesOf(template, 'RollupService')).toEqual([
      tables,
      'kms:Decrypt kms:GenerateDataKey sns.eu-central-1.amazonaws.com',
      'kms:GenerateDataKey s3.eu-central-1.amazonaws.com',
    ]);
    expect(usesOf(template, 'HeadWriterService')).toEqual([tables]);
    expect(usesOf(template, 'TracesService')).toEqual([tables]);
  });

  it('may be used for secrets by operators, and by no author, manager of keys or auditor', () => {
    const template = synthesize({ encryptionKeyArn: KEY }, undefined, (service) => {
      for (const grant of ['grantOperate', 'grantAuthor', 'grantKeys', 'grantAudit', 'grantView'] as const)
        service[grant](new Role(service, grant, { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }));
    });
    const secrets = 'kms:Decrypt kms:GenerateDataKey secretsmanager.eu-central-1.amazonaws.com';
    expect(usesOf(template, 'grantOperate')).toContain(secrets);
    for (const role of ['grantAuthor', 'grantKeys', 'grantAudit', 'grantView'])
      expect(text(usesOf(template, role))).not.toContain('secretsmanager');
  });

  it('leaves a topic that exists already its own key, and asks for none where it has none', () => {
    const alarms = { addresses: [], topicArn: TOPIC };
    const plain = synthesize({ encryptionKeyArn: KEY, alarms });
    expect(text(usesOf(plain, 'RollupService'))).not.toContain('sns');
    const keyed = synthesize({ encryptionKeyArn: KEY, alarms: { ...alarms, topicKeyArn: TOPIC_KEY } });
    expect(usesOf(keyed, 'RollupService', TOPIC_KEY)).toEqual([
      'kms:Decrypt kms:GenerateDataKey sns.eu-central-1.amazonaws.com',
    ]);
    const passed = synthesize({ encryptionKeyArn: KEY }, (stack) => ({
      alarmTopic: Topic.fromTopicArn(stack, 'Alerts', TOPIC),
    }));
    expect(text(usesOf(passed, 'RollupService'))).not.toContain('sns');
  });

  it('gets statements for the logs of this account and its alarms alone, where the app makes it', () => {
    const template = synthesize({}, (stack) => ({ encryptionKey: new Key(stack, 'Key') }));
    const { Statement } = onlyResource(template, 'AWS::KMS::Key').Properties['KeyPolicy'] as {
      readonly Statement: readonly Readonly<Record<string, unknown>>[];
    };
    const [, logs, alarms, ...others] = Statement;
    expect(others).toEqual([]);
    expect(text(logs?.['Principal'])).toContain('logs.eu-central-1.');
    expect(text(logs?.['Condition'])).toBe(
      '{"ArnLike":{"kms:EncryptionContext:aws:logs:arn":{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":logs:eu-central-1:111122223333:log-group:*"]]}}}',
    );
    expect(alarms).toMatchObject({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      Principal: { Service: 'cloudwatch.amazonaws.com' },
    });
  });
});
