// The service in an app of somebody else: with a key, a domain, tables and a bucket that exist already.
import { App, type Environment, Stack } from 'aws-cdk-lib';
import { DomainName } from 'aws-cdk-lib/aws-apigateway';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { TABLES } from '../../../core/contract/tables.ts';
import type { StageSettings } from '../../../lib/config/config.ts';
import { NeuronService, type NeuronServiceProps } from '../../../lib/constructs/neuron-service.ts';
import { defineStage } from '../../../lib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onlyResource, plainApp, resourcesOf, stubCode, type Template } from '../synthesized.ts';

const outdir = temporaryFolder();
const ACCOUNT = '111122223333';
const KEY = `arn:aws:kms:eu-central-1:${ACCOUNT}:key/0a1b2c3d-0000-4000-8000-000000000000`;
const CERTIFICATE = `arn:aws:acm:eu-central-1:${ACCOUNT}:certificate/0a1b2c3d-0000-4000-8000-000000000000`;
const WEB_ACL = `arn:aws:wafv2:eu-central-1:${ACCOUNT}:regional/webacl/own/0a1b2c3d-0000-4000-8000-000000000000`;

type Parts = (stack: Stack) => Omit<NeuronServiceProps, 'stage'>;

interface Embedded {
  readonly service: NeuronService;
  readonly template: () => Template;
}

const ENVIRONMENT = { account: ACCOUNT, region: 'eu-central-1' };

function embed(
  settings: Partial<StageSettings> = {},
  parts: Parts = () => ({}),
  env: Environment = ENVIRONMENT,
  app = plainApp(outdir),
): Embedded {
  const stack = new Stack(app, 'Own', { env });
  const service = new NeuronService(stack, 'Neurons', {
    stage: defineStage({ name: 'own', ...settings }),
    code: stubCode(),
    ...parts(stack),
  });
  return { service, template: () => app.synth().getStackByName('Own').template as Template };
}

const logsOfOurs = (stack: Stack) => ({ logBucket: Bucket.fromBucketName(stack, 'Logs', 'logs-of-ours') });

const text = (value: unknown) => JSON.stringify(value);
const countFunctions = (template: Template) => resourcesOf(template, 'AWS::Lambda::Function').length;

describe('NeuronService in another CDK app', () => {
  it('creates everything by default, protected as in production', () => {
    // An app as somebody else has it; `npm run test:e2e` synthesizes it with CloudFormation's schemas.
    const template = embed({}, undefined, ENVIRONMENT, new App({ outdir })).template();
    expect(resourcesOf(template, 'AWS::DynamoDB::GlobalTable')).toHaveLength(6);
    for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function'))
      expect(Properties['ReservedConcurrentExecutions']).toBeGreaterThan(0);
    expect(template.Outputs).toHaveProperty('ConfigTable');
    expect(template.Outputs).not.toHaveProperty('DomainTarget');
  });

  it('refuses invalid settings before it creates anything', () => {
    expect(() => embed({ memoryMegabytes: 1, transferMode: 'SLOW' as never })).toThrow(
      /transferMode.*\n.*memoryMegabytes/,
    );
  });

  it('accepts existing tables, and grants its functions their ARNs', () => {
    const arn = `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/settings-of-ours`;
    const template = embed({}, (stack) => ({
      tables: { config: TableV2.fromTableArn(stack, 'Settings', arn) },
    })).template();
    expect(resourcesOf(template, 'AWS::DynamoDB::GlobalTable')).toHaveLength(Object.keys(TABLES).length - 1);
    expect(text(template.Outputs['ConfigTable'])).toContain('settings-of-ours');
    expect(text(resourcesOf(template, 'AWS::IAM::Policy'))).toContain(arn);
  });

  it('encrypts its tables with an existing KMS key, which its functions may use through DynamoDB only', () => {
    const template = embed({}, (stack) => ({ encryptionKey: Key.fromKeyArn(stack, 'Key', KEY) })).template();
    const tables = resourcesOf(template, 'AWS::DynamoDB::GlobalTable');
    for (const [, { Properties }] of tables) {
      expect(Properties['SSESpecification']).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
      expect(text(Properties['Replicas'])).toContain(KEY);
    }
    const uses = resourcesOf(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      text(Properties).includes(KEY),
    );
    expect(uses).toHaveLength(countFunctions(template));
    for (const [, { Properties }] of uses)
      expect(text(Properties)).toContain('"kms:ViaService":"dynamodb.eu-central-1.amazonaws.com"');
    expect(text(embed({ encryptionKeyArn: KEY }).template())).toContain(KEY);
  });

  it('refuses a KMS key in a stack without a region, and a stack in another region than the stage', () => {
    expect(() => embed({ encryptionKeyArn: KEY }, undefined, {})).toThrow(
      'Tables with a KMS key need a stack with a region. Pass env: { region } to the stack.',
    );
    expect(() => embed({ encryptionKeyArn: KEY }, undefined, { region: 'eu-west-1' })).toThrow(
      "The stage own is in eu-central-1, by its region or an ARN in its settings; its stack Own is in eu-west-1. Pass env: { region: 'eu-central-1' } to the stack, or change the stage.",
    );
    expect(() => embed({ region: 'eu-central-1' }, undefined, { region: 'eu-west-1' })).toThrow(
      'its stack Own is in eu-west-1',
    );
  });

  it('maps an existing domain, and disables its own address', () => {
    const { service, template } = embed({}, (stack) => ({
      domain: {
        domainName: DomainName.fromDomainNameAttributes(stack, 'Domain', {
          domainName: 'api.example.com',
          domainNameAliasTarget: 'd-0123456789.execute-api.eu-central-1.amazonaws.com',
          domainNameAliasHostedZoneId: 'Z0123456789ABC',
        }),
        basePath: 'neurons',
      },
    }));
    expect(service.url).toBe('https://api.example.com/neurons/');
    expect(onlyResource(template(), 'AWS::ApiGateway::BasePathMapping').Properties).toMatchObject({
      BasePath: 'neurons',
      DomainName: 'api.example.com',
    });
    expect(onlyResource(template(), 'AWS::ApiGateway::RestApi').Properties['DisableExecuteApiEndpoint']).toBe(
      true,
    );
    expect(template().Outputs['ApiUrl']?.Value).toBe('https://api.example.com/neurons/');
  });

  it('creates the domain of the stage with TLS 1.2 or later, and an alias record where a hosted zone is named', () => {
    const domain = { name: 'neurons.example.com', certificateArn: CERTIFICATE };
    const template = embed({
      domain: { ...domain, hostedZone: { id: 'Z0123456789ABC', name: 'example.com' } },
    }).template();
    expect(onlyResource(template, 'AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'neurons.example.com',
      RegionalCertificateArn: CERTIFICATE,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
    expect(onlyResource(template, 'AWS::Route53::RecordSet').Properties).toMatchObject({
      Name: 'neurons.example.com.',
      Type: 'A',
    });
    expect(resourcesOf(embed({ domain }).template(), 'AWS::Route53::RecordSet')).toEqual([]);
  });

  it('associates a web ACL: an existing one, or one that counts by address and inspects no body', () => {
    const existing = embed({ firewall: { webAclArn: WEB_ACL } }).template();
    expect(onlyResource(existing, 'AWS::WAFv2::WebACLAssociation').Properties['WebACLArn']).toBe(WEB_ACL);
    const own = onlyResource(
      embed({ firewall: { requestsPerAddress: 600 } }).template(),
      'AWS::WAFv2::WebACL',
    );
    expect(text(own.Properties['Rules'])).toContain(
      '"RateBasedStatement":{"AggregateKeyType":"IP","EvaluationWindowSec":300,"Limit":600}',
    );
    expect(text(own)).not.toMatch(/Body|"SampledRequestsEnabled":true/);
  });

  it('allows the key through each service under the domain of the partition', () => {
    const key = `arn:aws-cn:kms:cn-north-1:${ACCOUNT}:key/0a1b2c3d-0000-4000-8000-000000000000`;
    const china = { account: ACCOUNT, region: 'cn-north-1' };
    const template = embed({ encryptionKeyArn: key }, undefined, china).template();
    const conditions = text(resourcesOf(template, 'AWS::IAM::Policy')).match(/"kms:ViaService":"[^"]+"/g);
    expect(new Set(conditions)).toEqual(
      new Set(
        ['dynamodb', 's3', 'secretsmanager'].map(
          (service) => `"kms:ViaService":"${service}.cn-north-1.amazonaws.com.cn"`,
        ),
      ),
    );
  });

  it('writes the access log to an existing bucket, through a stream with the prefix that API Gateway requires', () => {
    const template = embed({}, logsOfOurs).template();
    const stream = onlyResource(template, 'AWS::KinesisFirehose::DeliveryStream').Properties;
    expect(stream['DeliveryStreamName']).toMatch(/^amazon-apigateway-Own-[A-Za-z0-9-]{1,42}$/);
    // Those of the functions, API Gateway's execution log and Firehose's error log.
    expect(resourcesOf(template, 'AWS::Logs::LogGroup')).toHaveLength(countFunctions(template) + 2);
    expect(text(onlyResource(template, 'AWS::ApiGateway::Stage').Properties['AccessLogSetting'])).toContain(
      'AccessLogStream',
    );
  });

  it('delivers the access log with the actions that Firehose documents, and logs failed deliveries', () => {
    const template = embed({}, logsOfOurs).template();
    const [, policy] = resourcesOf(template, 'AWS::IAM::Policy').find(([id]) =>
      id.includes('AccessLogRole'),
    )!;
    const { Statement } = policy.Properties['PolicyDocument'] as {
      Statement: { Action: string | string[]; Resource: unknown }[];
    };
    expect(Statement.map(({ Action }) => Action)).toEqual([
      ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
      'logs:PutLogEvents',
    ]);
    expect(text(Statement[1]?.Resource)).toContain('logs-of-ours/neuron-own/*');
    const { ExtendedS3DestinationConfiguration } = onlyResource(
      template,
      'AWS::KinesisFirehose::DeliveryStream',
    ).Properties as { ExtendedS3DestinationConfiguration: Record<string, unknown> };
    const [[logStream]] = resourcesOf(template, 'AWS::Logs::LogStream') as [[string, unknown]];
    expect(ExtendedS3DestinationConfiguration['CloudWatchLoggingOptions']).toMatchObject({
      Enabled: true,
      LogStreamName: { Ref: logStream },
    });
  });

  it('puts provisioned concurrency on an alias, which API Gateway then invokes', () => {
    const template = embed({ provisionedConcurrency: { authorizer: 2, execution: 3 } }).template();
    const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
    expect(aliases.map(([, { Properties }]) => Properties['ProvisionedConcurrencyConfig'])).toEqual([
      { ProvisionedConcurrentExecutions: 2 },
      { ProvisionedConcurrentExecutions: 3 },
    ]);
    const [authorizer, executor] = aliases.map(([id]) => id);
    expect(text(onlyResource(template, 'AWS::ApiGateway::Authorizer'))).toContain(authorizer);
    expect(text(resourcesOf(template, 'AWS::ApiGateway::Method'))).toContain(executor);
  });

  it('grants operators every command, and auditors read access only', () => {
    const { service, template } = embed();
    const role = (id: string) =>
      new Role(service, id, { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    service.grantOperate(role('Operator'));
    service.grantRestore(role('Restorer'));
    service.grantAudit(role('Auditor'));
    service.grantExport(role('Exporter'));
    const policies = resourcesOf(template(), 'AWS::IAM::Policy');
    const of = (name: string) => text(policies.find(([id]) => id.includes(name))?.[1]);
    expect(of('Operator')).toContain('secretsmanager:PutSecretValue');
    expect(of('Operator')).toContain(':secret:neuron/own/*');
    // What the functions count and cache is not for operators to change.
    const changes = of('Operator')
      .split('"Action":')
      .filter((part) => /UpdateItem|DeleteItem/.test(part));
    expect(changes.map((part) => /Tables(\w+?)Table/.exec(part)?.[1])).toEqual(['Config', 'Keys']);
    // An operator puts changes and no calls; `neuron logs restore`, for which there is a role of its own, puts calls alone.
    const partitionsOf = (name: string) => /"dynamodb:LeadingKeys":(\[[^\]]*\]|"[^"]*")/.exec(of(name))?.[1];
    expect(partitionsOf('Operator')).toBe('["CHANGES","CHANGES#*"]');
    expect(of('Operator').match(/dynamodb:PutItem/g)).toHaveLength(3);
    expect(partitionsOf('Exporter')).toBe('["CHANGES","CHANGES#*"]');
    expect(new Set(of('Exporter').match(/dynamodb:\w+/g))).toEqual(
      new Set(['dynamodb:PutItem', 'dynamodb:LeadingKeys']),
    );
    expect(partitionsOf('Restorer')).toMatch(/^\["\?{24}#[^,]*"\]$/);
    // It reads the lines of the two functions that print them.
    const lines = of('Restorer')
      .split('"Action":')
      .filter((part) => part.startsWith('"logs:FilterLogEvents"'));
    expect(lines.map((part) => /Neurons(\w+)ServiceLogs/.exec(part)?.[1])).toEqual([
      'Authorizer',
      'Executor',
    ]);
    expect(of('Auditor')).toContain('dynamodb:Query');
    expect(of('Auditor')).not.toMatch(/Put|Update|Delete|secretsmanager|KeysTable|CountersTable|CacheTable/);
    // `neuron logs` and `neuron usage` find the stack, and the ids of what they are asked for: an item by its name. Changes of
    // versions know their neuron by its id alone, so `--changes` lists the neurons.
    expect(of('Auditor')).toContain('"cloudformation:DescribeStacks"');
    const [settings] = of('Auditor')
      .split('"Action":')
      .filter((part) => part.includes('ConfigTable'));
    expect(settings).toMatch(/^\["dynamodb:GetItem","dynamodb:Query"\]/);
  });

  it('grants operators and auditors the key of the tables', () => {
    const { service, template } = embed({ encryptionKeyArn: KEY });
    for (const grant of ['grantOperate', 'grantAudit'] as const)
      service[grant](new Role(service, grant, { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }));
    const uses = resourcesOf(template(), 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      text(Properties).includes(KEY),
    );
    expect(uses).toHaveLength(countFunctions(template()) + 2);
  });

  it('has metrics for other alarms', () => {
    const { service } = embed();
    expect(service.metric('costMicrodollars').toMetricConfig().metricStat).toMatchObject({
      namespace: 'NeuronExecutionService',
      metricName: 'CostMicrodollars',
      dimensions: [{ name: 'Stage', value: 'own' }],
      statistic: 'Sum',
    });
    expect(service.api.metricServerErrors().metricName).toBe('5XXError');
    expect(service.executor.service.metricThrottles().metricName).toBe('Throttles');
    expect(service.executor.service.metricErrors().metricName).toBe('Errors');
  });
});
