// The KMS key of the tables: which one it is, and the functions' right to it.
import { Stack } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';
import { ServiceFunction } from '../compute/service-function.ts';

/** The key that the stage names; undefined where DynamoDB's own is used. */
export function importTableKey(scope: Construct, { encryptionKeyArn }: Stage): IKey | undefined {
  return encryptionKeyArn === undefined
    ? undefined
    : Key.fromKeyArn(scope, 'EncryptionKey', encryptionKeyArn);
}

/** Lets every function below use it. */
export function letFunctionsUse(key: IKey, scope: Construct): void {
  for (const each of scope.node.findAll())
    if (each instanceof ServiceFunction) grantKeyUse(key, scope, each.role);
}

/** Lets somebody use it. DynamoDB does so in the name of who reads and writes (encryption.usagenotes.html): through DynamoDB only. */
export function grantKeyUse(key: IKey, scope: Construct, { grantPrincipal }: IGrantable): void {
  grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      sid: 'UseKeyOfTables',
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` } },
    }),
  );
}
