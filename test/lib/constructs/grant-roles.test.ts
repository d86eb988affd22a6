// The rights of authors and of managers of keys: which tables, which partitions, and what no slug may reach.
import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import type { OrganizationScope } from '../../../lib/constructs/data/grant-roles.ts';
import { NeuronService } from '../../../lib/constructs/neuron-service.ts';
import { defineStage } from '../../../lib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { plainApp, resourcesOf, stubCode, type Template } from '../synthesized.ts';

const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Actions, the table, and the partitions, of each statement of a role. */
function rightsOf(
  grant: (service: NeuronService, role: Role) => unknown,
  encryptionKeyArn?: string,
): string[] {
  const app = plainApp(temporaryFolder());
  const stack = new Stack(app, 'Own', { env: { account: '111122223333', region: 'eu-central-1' } });
  const stage = defineStage({ name: 'own', encryptionKeyArn });
  const service = new NeuronService(stack, 'Neurons', { stage, code: stubCode() });
  grant(service, new Role(stack, 'Person', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }));
  const template = app.synth().getStackByName('Own').template as Template;
  const [, policy] = resourcesOf(template, 'AWS::IAM::Policy').find(([id]) => id.startsWith('Person'))!;
  const { Statement } = policy.Properties['PolicyDocument'] as { readonly Statement: readonly Statement[] };
  return Statement.map(({ Action, Resource, Condition }) => {
    const table = /Tables(\w+?)Table/.exec(JSON.stringify(Resource))?.[1] ?? JSON.stringify(Resource);
    const partitions = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
    // ForAllValues alone would pass a request without leading keys.
    const keyed = Condition?.['Null']?.['dynamodb:LeadingKeys'] === 'false';
    const bound =
      partitions === undefined ? '' : ` ${[partitions].flat().join(' ')}${keyed ? '' : ' (open)'}`;
    return `${[Action].flat().join(' ').replaceAll('dynamodb:', '')} on ${table}${bound}`;
  }).toSorted();
}

const author = (scope?: OrganizationScope) => rightsOf((service, role) => service.grantAuthor(role, scope));

describe('the rights of an author', () => {
  it('are the partitions of the organizations that were granted', () => {
    expect(author({ organizations: ['acme', 'beta'] })).toEqual([
      'GetItem Query PutItem DeleteItem ConditionCheckItem on Config ORG#acme ORG#beta',
      'GetItem on Config SERVICE',
      'PutItem on Logs CHANGES#acme CHANGES#beta',
      'cloudformation:DescribeStacks on "*"',
    ]);
  });

  it('are settings of every organization, and no maintenance, where none is named', () => {
    expect(author()).toEqual([
      'GetItem Query PutItem DeleteItem ConditionCheckItem on Config ORG#*',
      'GetItem on Config SERVICE',
      'PutItem on Logs CHANGES#*',
      'Scan on Config',
      'cloudformation:DescribeStacks on "*"',
    ]);
  });

  it('are among those of an operator, who applies the same settings', () => {
    const actionsOnSettings = (rights: readonly string[]) =>
      rights.flatMap((right) => {
        const [actions, resource] = right.split(' on ');
        return resource?.startsWith('Config') ? actions!.split(' ') : [];
      });
    const operator = actionsOnSettings(rightsOf((service, role) => service.grantOperate(role)));
    expect(operator).toEqual(expect.arrayContaining(actionsOnSettings(author())));
  });

  it.each([['*'], ['acm?'], ['Acme'], ['acme#x'], [''], ['$aws']])(
    'end the synth for the slug %j',
    (slug) => {
      expect(() => author({ organizations: ['acme', slug] })).toThrow(
        `organizations has "${slug}", which is no slug. Pass slugs such as ['acme']`,
      );
    },
  );

  it('end the synth for an empty list, which is not everything', () => {
    expect(() => author({ organizations: [] })).toThrow('organizations names no organization.');
  });
});

describe('the rights of a manager of keys', () => {
  it('are keys, their last uses and records of changes; settings and secrets can only be found or not even that', () => {
    expect(rightsOf((service, role) => service.grantKeys(role))).toEqual([
      'BatchGetItem GetItem PutItem Query UpdateItem on Keys',
      'BatchGetItem GetItem on Counters LASTUSED#*',
      'GetItem Query on Config ORG#*',
      'PutItem on Logs CHANGES#*',
      'cloudformation:DescribeStacks on "*"',
    ]);
  });

  it('and of an author have the key of the tables', () => {
    for (const grant of ['grantKeys', 'grantAuthor'] as const)
      expect(rightsOf((service, role) => service[grant](role), KEY)).toContain(
        `kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey on "${KEY}"`,
      );
  });
});
