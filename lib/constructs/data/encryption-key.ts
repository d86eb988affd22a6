// The KMS key of the stage: what it encrypts beside the tables, who may use it, and the statements that its policy needs.
import { ArnFormat, Aws, Stack, Token } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct, IConstruct } from 'constructs';
import type { Stage } from '../../config/config.ts';
import { ServiceFunction } from '../compute/service-function.ts';

/** The key named in the stage settings; undefined where keys of AWS encrypt everything. */
export function importEncryptionKey(scope: Construct, { encryptionKeyArn }: Stage): IKey | undefined {
  return encryptionKeyArn === undefined
    ? undefined
    : Key.fromKeyArn(scope, 'EncryptionKey', encryptionKeyArn);
}

/**
 * Encrypts everything below the scope that takes a key: log groups, environments of functions, topics, buckets and delivery streams. Tables
 * have it from their own construct. Call it when all of them exist. A key that was imported keeps its policy: docs/deploy.md has the statements.
 */
export function encryptResources(key: IKey, scope: Construct): void {
  for (const each of scope.node.findAll()) encryptResource(key, each);
  for (const statement of policyOfServices(scope)) key.addToResourcePolicy(statement);
}

function encryptResource({ keyArn }: IKey, resource: IConstruct): void {
  if (resource instanceof CfnLogGroup) resource.kmsKeyId = keyArn;
  if (resource instanceof CfnFunction) resource.kmsKeyArn = keyArn;
  if (resource instanceof CfnTopic) resource.kmsMasterKeyId = keyArn;
  if (resource instanceof CfnDeliveryStream)
    resource.deliveryStreamEncryptionConfigurationInput = { keyType: 'CUSTOMER_MANAGED_CMK', keyArn };
  if (resource instanceof CfnBucket)
    resource.bucketEncryption = {
      serverSideEncryptionConfiguration: [
        {
          bucketKeyEnabled: true,
          serverSideEncryptionByDefault: { sseAlgorithm: 'aws:kms', kmsMasterKeyId: keyArn },
        },
      ],
    };
}

/**
 * Two services use the key under their own names, which no policy of IAM can allow: CloudWatch Logs
 * (AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html) and alarms that send to an encrypted topic (sns/latest/dg/sns-key-management.html).
 */
function policyOfServices(scope: Construct): readonly PolicyStatement[] {
  const groups = Stack.of(scope).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: '*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return [
    new PolicyStatement({
      sid: 'EncryptLogGroups',
      principals: [new ServicePrincipal(`logs.${Stack.of(scope).region}.${Aws.URL_SUFFIX}`)],
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
      resources: ['*'],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': groups } },
    }),
    new PolicyStatement({
      sid: 'EncryptAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  ];
}

/** Grants the key of the tables to every function below the scope. Lambda itself grants it for their environments, with the deployment's rights. */
export function grantKeyUseToFunctions(key: IKey, scope: Construct): void {
  for (const each of scope.node.findAll())
    if (each instanceof ServiceFunction) grantKeyUse(key, scope, each.role);
}

/** Grants it through DynamoDB only, which uses the key on behalf of its callers (encryption.usagenotes.html). */
export function grantKeyUse(key: IKey, scope: Construct, { grantPrincipal }: IGrantable): void {
  grantPrincipal.addToPrincipalPolicy(
    useStatement(key, scope, {
      sid: 'UseKeyOfTables',
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
      service: 'dynamodb',
    }),
  );
}

/** Grants reading the secrets of organizations (secretsmanager/latest/userguide/security-encryption.html). */
export function grantDecryptSecrets(key: IKey, scope: Construct, { grantPrincipal }: IGrantable): void {
  grantPrincipal.addToPrincipalPolicy(
    useStatement(key, scope, {
      sid: 'DecryptSecrets',
      actions: ['kms:Decrypt'],
      service: 'secretsmanager',
    }),
  );
}

/** Grants making and changing secrets as well. */
export function grantEncryptSecrets(key: IKey, scope: Construct, { grantPrincipal }: IGrantable): void {
  grantPrincipal.addToPrincipalPolicy(
    useStatement(key, scope, {
      sid: 'EncryptSecrets',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      service: 'secretsmanager',
    }),
  );
}

/** Grants putting objects into an encrypted bucket: a single PUT needs no more (AmazonS3/latest/userguide/UsingKMSEncryption.html). */
export function grantEncryptObjects(key: IKey, scope: Construct, { grantPrincipal }: IGrantable): void {
  grantPrincipal.addToPrincipalPolicy(
    useStatement(key, scope, { sid: 'EncryptDropped', actions: ['kms:GenerateDataKey'], service: 's3' }),
  );
}

interface KeyUse {
  readonly sid: string;
  readonly actions: string[];
  /** The service through which alone the key may be used. */
  readonly service: string;
}

function useStatement(
  { keyArn }: IKey,
  scope: Construct,
  { sid, actions, service }: KeyUse,
): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions,
    resources: [keyArn],
    conditions: { StringEquals: { 'kms:ViaService': viaService(scope, service) } },
  });
}

/** The endpoint of a service in the scope's region; in China its domain is `amazonaws.com.cn` (kms/latest/developerguide/conditions-kms.html). */
export function viaService(scope: Construct, service: string): string {
  const { region } = Stack.of(scope);
  const known = Token.isUnresolved(region) ? undefined : RegionInfo.get(region).domainSuffix;
  return `${service}.${region}.${known ?? Aws.URL_SUFFIX}`;
}
