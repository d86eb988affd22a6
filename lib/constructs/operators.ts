// What operators need: the rights of the `neuron` command, for a role of the account.
import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { secretPrefix } from './secrets-access.ts';
import type { Tables } from './tables.ts';

/** Lets somebody run every command: find the stack, change settings, keys and secrets, read the log. */
export function grantOperators(
  scope: Construct,
  grantee: IGrantable,
  { stage, tables }: { readonly stage: Stage; readonly tables: Tables },
): Grant {
  const stack = Stack.of(scope);
  const secrets = Grant.addToPrincipal({
    grantee,
    actions: [
      'secretsmanager:CreateSecret',
      'secretsmanager:DeleteSecret',
      'secretsmanager:DescribeSecret',
      'secretsmanager:GetSecretValue',
      'secretsmanager:PutSecretValue',
      'secretsmanager:UpdateSecretVersionStage',
    ],
    resourceArns: [
      stack.formatArn({ service: 'secretsmanager', resource: `secret:${secretPrefix(stage)}/*` }),
    ],
  });
  const stacks = Grant.addToPrincipal({
    grantee,
    // The command looks for the stacks that have its outputs, so it lists them all.
    actions: ['cloudformation:DescribeStacks'],
    resourceArns: ['*'],
  });
  const describe = Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:DescribeTable'],
    resourceArns: Object.values(tables.byName).map(({ tableArn }) => tableArn),
  });
  return tables.grantOperate(grantee).combine(secrets).combine(stacks).combine(describe);
}
