// The rules for templates: what a resource must not be, and how to fix it.
import type { Stage } from '../config/config.ts';

interface SynthesizedResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

/** A template, as far as the rules look. */
export interface SynthesizedTemplate {
  readonly Resources?: Readonly<Record<string, SynthesizedResource>>;
}

interface Context {
  readonly template: SynthesizedTemplate;
  readonly stage: Stage;
}

export interface Rule {
  readonly name: string;
  readonly types: readonly string[];
  /** Says why a resource that breaks the rule is wrong. */
  readonly summary: string;
  readonly fix: string;
  isBroken(resource: SynthesizedResource, context: Context): boolean;
}

const FUNCTION = ['AWS::Lambda::Function'];
const TABLE = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];

/** Policies that end at TLS 1.2 or later (apigateway-security-policies-list.html); `TLS_1_2` is the older name of one. */
const MODERN_TLS = /^(?:TLS_1_2$|SecurityPolicy_TLS1[23]_)/;

/** The property that names the key, by type. */
const KEY_PATHS: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::Function': ['KmsKeyArn'],
  'AWS::Logs::LogGroup': ['KmsKeyId'],
  'AWS::SNS::Topic': ['KmsMasterKeyId'],
  'AWS::SQS::Queue': ['KmsMasterKeyId'],
  'AWS::KinesisFirehose::DeliveryStream': ['DeliveryStreamEncryptionConfigurationInput', 'KeyARN'],
  'AWS::S3::Bucket': [
    'BucketEncryption',
    'ServerSideEncryptionConfiguration',
    '0',
    'ServerSideEncryptionByDefault',
    'KMSMasterKeyID',
  ],
};

export const RULES: readonly Rule[] = [
  {
    name: 'IntegrationWithoutAuthorizer',
    types: ['AWS::ApiGateway::Method'],
    summary: 'A method with an integration is open to every caller.',
    fix: 'Give it authorizationType CUSTOM and the authorizer of the service, or answer with a MOCK integration.',
    isBroken({ Properties }) {
      const type = valueAt(Properties, 'Integration', 'Type');
      if (type === 'MOCK') return false;
      return (
        valueAt(Properties, 'AuthorizationType') !== 'CUSTOM' ||
        valueAt(Properties, 'AuthorizerId') === undefined
      );
    },
  },
  {
    name: 'AuthorizerWithCache',
    types: ['AWS::ApiGateway::Authorizer'],
    summary: 'API Gateway would reuse the decision on one request for other requests.',
    fix: 'Set resultsCacheTtl to 0.',
    isBroken: ({ Properties }) => valueAt(Properties, 'AuthorizerResultTtlInSeconds') !== 0,
  },
  {
    name: 'FunctionWithoutTimeout',
    types: FUNCTION,
    summary: 'The function has no explicit timeout.',
    fix: 'Set timeout.',
    isBroken: ({ Properties }) => typeof valueAt(Properties, 'Timeout') !== 'number',
  },
  {
    name: 'FunctionWithoutRetention',
    types: FUNCTION,
    summary: 'The log group of the function is outside the stack or has no retention.',
    fix: 'Set logGroup to a log group of the stack with a retention.',
    isBroken({ Properties }, { template }) {
      const group = valueAt(Properties, 'LoggingConfig', 'LogGroup', 'Ref');
      const logGroup = typeof group === 'string' ? template.Resources?.[group] : undefined;
      return typeof valueAt(logGroup?.Properties, 'RetentionInDays') !== 'number';
    },
  },
  {
    name: 'FunctionWithoutConcurrencyLimit',
    types: FUNCTION,
    summary: 'The function can use up the concurrency of the whole account.',
    fix: 'Set the stage setting reservedConcurrency.',
    // On managed instances a function takes nothing of the account's concurrency, and has a number of environments in place of it.
    isBroken: ({ Properties }) =>
      typeof valueAt(Properties, 'ReservedConcurrentExecutions') !== 'number' &&
      typeof valueAt(Properties, 'FunctionScalingConfig', 'MaxExecutionEnvironments') !== 'number',
  },
  {
    name: 'TableWithoutRecovery',
    types: TABLE,
    summary:
      'The stage has protectData, and the table lacks point-in-time recovery, deletion protection or retention.',
    fix: 'Turn on point-in-time recovery and deletion protection, and set the removal policy to RETAIN.',
    isBroken: (table, { stage }) => stage.protectData && !isRecoverable(table),
  },
  {
    name: 'TableWithoutKey',
    types: TABLE,
    // DynamoDB encrypts every table; only the key can be the wrong one (EncryptionAtRest.html).
    summary: "The stage has encryptionKeyArn, and the table is encrypted with DynamoDB's own key.",
    fix: 'Pass encryptionKey to the table.',
    isBroken: ({ Properties }, { stage }) =>
      stage.encryptionKeyArn !== undefined && valueAt(Properties, 'SSESpecification', 'SSEType') !== 'KMS',
  },
  {
    name: 'ResourceWithoutKey',
    types: Object.keys(KEY_PATHS),
    summary: 'The stage has encryptionKeyArn, and the resource is encrypted with a key of AWS.',
    fix: 'Name the key in the resource, as encryptResources of lib/constructs/data/encryption-key.ts does.',
    isBroken: ({ Type, Properties }, { stage }) =>
      stage.encryptionKeyArn !== undefined &&
      valueAt(Properties, ...(KEY_PATHS[Type] ?? [])) !== stage.encryptionKeyArn,
  },
  {
    name: 'OldTls',
    types: ['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName'],
    summary: 'Callers can connect with TLS below 1.2.',
    fix: 'Set securityPolicy to TLS_1_2 or one of the SecurityPolicy_TLS13 policies.',
    isBroken: ({ Properties }) => !MODERN_TLS.test(String(valueAt(Properties, 'SecurityPolicy'))),
  },
];

function isRecoverable({ Properties, DeletionPolicy }: SynthesizedResource): boolean {
  const replicas = valueAt(Properties, 'Replicas');
  const copies = Array.isArray(replicas) ? (replicas as Record<string, unknown>[]) : [Properties];
  return (
    /^Retain/.test(DeletionPolicy ?? '') &&
    copies.every(
      (copy) =>
        valueAt(copy, 'DeletionProtectionEnabled') === true &&
        valueAt(copy, 'PointInTimeRecoverySpecification', 'PointInTimeRecoveryEnabled') === true,
    )
  );
}

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}
