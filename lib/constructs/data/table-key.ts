// The KMS key of the tables, and the permission to use it.
import { Aws, Stack, Token } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';
import { ServiceFunction } from '../compute/service-function.ts';

/** The key named in the stage settings; undefined where DynamoDB's own key is used. */
export function importTableKey(scope: Construct, { encryptionKeyArn }: Stage): IKey | undefined {
  return encryptionKeyArn === undefined
    ? undefined
    : Key.fromKeyArn(scope, 'EncryptionKey', encryptionKeyArn);
}

/** Grants it to every function below the scope. */
export function grantKeyUseToFunctions(key: IKey, scope: Construct): void {
  for (const each of scope.node.findAll())
    if (each instanceof ServiceFunction) grantKeyUse(key, scope, each.role);
}

/** Grants it through DynamoDB only, which uses the key on behalf of its callers (encryption.usagenotes.html). */
export function grantKeyUse(key: IKey, scope: Construct, { grantPrincipal }: IGrantable): void {
  grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      sid: 'UseKeyOfTables',
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService(scope, 'dynamodb') } },
    }),
  );
}

/** The endpoint of a service in the scope's region; in China its domain is `amazonaws.com.cn` (kms/latest/developerguide/conditions-kms.html). */
export function viaService(scope: Construct, service: string): string {
  const { region } = Stack.of(scope);
  const known = Token.isUnresolved(region) ? undefined : RegionInfo.get(region).domainSuffix;
  return `${service}.${region}.${known ?? Aws.URL_SUFFIX}`;
}
