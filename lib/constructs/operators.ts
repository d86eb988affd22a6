// What operators and auditors need: the rights of the `neuron` command, or of what it only reads, for a role of the account.
import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { secretPrefix } from './data/secrets-access.ts';
import type { MonitoredService } from './observability/monitored-service.ts';

/** Lets somebody run every command: find the stack, change settings, keys and secrets, read the log and bring entries back from lines. */
export function grantOperators(
  scope: Construct,
  grantee: IGrantable,
  { stage, tables, authorizer, executor }: Omit<MonitoredService, 'api' | 'rollup'>,
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
  const describe = Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:DescribeTable'],
    resourceArns: Object.values(tables.byName).map(({ tableArn }) => tableArn),
  });
  const lines = [authorizer, executor].map(({ service }) =>
    service.logGroup.grant(grantee, 'logs:FilterLogEvents'),
  );
  return [secrets, grantFindStacks(grantee), describe, ...lines].reduce(
    (all, one) => all.combine(one),
    tables.grantOperate(grantee),
  );
}

/** Lets somebody run `neuron logs` and `neuron usage`: find the stack, look an organization or a neuron up by name, read log and usage. */
export function grantAuditors(grantee: IGrantable, tables: MonitoredService['tables']): Grant {
  return tables.grantAudit(grantee).combine(grantFindStacks(grantee));
}

/** The command looks for the stacks that have its outputs, so it lists them all. */
function grantFindStacks(grantee: IGrantable): Grant {
  return Grant.addToPrincipal({ grantee, actions: ['cloudformation:DescribeStacks'], resourceArns: ['*'] });
}
