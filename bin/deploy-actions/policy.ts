// The IAM policy that a deployment needs, from the types of resources in its templates.
import { ACTIONS_BY_TYPE } from './actions-by-type.ts';

/** For the template itself: CloudFormation reads the version of the bootstrap stack. */
const TEMPLATE_ACTIONS = ['ssm:GetParameters'];

const PASS_ROLE = 'iam:PassRole';

/** Services that take a role of the stacks. */
const PASSED_TO = ['apigateway', 'codedeploy', 'events', 'lambda'].map(
  (service) => `${service}.amazonaws.com`,
);

/** A policy document in the language of IAM. */
export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly {
    readonly Sid: string;
    readonly Effect: 'Allow';
    readonly Action: readonly string[];
    readonly Resource: '*';
    readonly Condition?: object;
  }[];
}

/** Throws on a type whose actions nobody has looked up. */
export function deployPolicy(types: Iterable<string>): PolicyDocument {
  const actions = new Set([...TEMPLATE_ACTIONS, ...[...types].flatMap(actionsOf)]);
  actions.delete(PASS_ROLE);
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'Deploy', Effect: 'Allow', Action: [...actions].toSorted(), Resource: '*' },
      {
        Sid: 'PassRoles',
        Effect: 'Allow',
        Action: [PASS_ROLE],
        Resource: '*',
        Condition: { StringEquals: { 'iam:PassedToService': PASSED_TO } },
      },
    ],
  };
}

function actionsOf(type: string): string[] {
  const entries = ACTIONS_BY_TYPE[type];
  if (entries === undefined)
    throw new Error(
      `bin/deploy-actions/actions-by-type.ts has no actions for ${type}. Add those of its resource schema.`,
    );
  return entries.flatMap((entry) => {
    const [service, names = ''] = entry.split(':');
    return names.split(',').map((name) => `${service}:${name}`);
  });
}

/** Types that CloudFormation makes without a right of whoever deploys. */
const WITHOUT_ACTIONS: ReadonlySet<string> = new Set([
  'AWS::CloudFormation::WaitConditionHandle',
  'AWS::CDK::Metadata',
]);

interface TypedTemplate {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
}

export function typesOf(templates: Iterable<TypedTemplate>): string[] {
  const types = [...templates].flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
  return [...new Set(types)].filter((type) => !WITHOUT_ACTIONS.has(type)).toSorted();
}
