// Managed policies of the roles of docs/rights.md, whose ARNs are outputs: for roles and permission sets that are made outside of the app.
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { type Grant, type IGrantable, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { POLICY_OUTPUTS, type PolicyRole } from '../../../core/contract/outputs.ts';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { OrganizationScope } from './grant-roles.ts';

/** The rights of a service, each for a principal or a policy. */
export interface Grants {
  grantOperate(grantee: IGrantable): Grant;
  grantAudit(grantee: IGrantable): Grant;
  grantView(grantee: IGrantable): Grant;
  grantAuthor(grantee: IGrantable, scope?: OrganizationScope): Grant;
  grantKeys(grantee: IGrantable): Grant;
  grantRestore(grantee: IGrantable): Grant;
  grantExport(grantee: IGrantable): Grant;
  grantErase(grantee: IGrantable): Grant;
}

export interface ManagedPoliciesProps {
  readonly settings: NonNullable<Stage['managedPolicies']>;
  readonly grants: Grants;
}

export class ManagedPolicies extends Construct {
  /** By role; authors of some organizations only are in `authors`. */
  readonly byRole: Readonly<Record<PolicyRole, ManagedPolicy>>;
  readonly authors: Readonly<Record<string, ManagedPolicy>>;

  constructor(scope: Construct, id: string, { settings, grants }: ManagedPoliciesProps) {
    super(scope, id);
    const make = (output: string, grant: (policy: ManagedPolicy) => Grant) =>
      createPolicy(this, output, grant);
    this.byRole = {
      operator: make(POLICY_OUTPUTS.operator, (policy) => grants.grantOperate(policy)),
      auditor: make(POLICY_OUTPUTS.auditor, (policy) => grants.grantAudit(policy)),
      viewer: make(POLICY_OUTPUTS.viewer, (policy) => grants.grantView(policy)),
      author: make(POLICY_OUTPUTS.author, (policy) => grants.grantAuthor(policy)),
      keys: make(POLICY_OUTPUTS.keys, (policy) => grants.grantKeys(policy)),
      restore: make(POLICY_OUTPUTS.restore, (policy) => grants.grantRestore(policy)),
      export: make(POLICY_OUTPUTS.export, (policy) => grants.grantExport(policy)),
      erase: make(POLICY_OUTPUTS.erase, (policy) => grants.grantErase(policy)),
    };
    this.authors = Object.fromEntries(
      Object.entries(settings.authors ?? {}).map(([name, organizations]) => [
        name,
        make(`${POLICY_OUTPUTS.author}${name[0]?.toUpperCase()}${name.slice(1)}`, (policy) =>
          grants.grantAuthor(policy, { organizations }),
        ),
      ]),
    );
  }
}

/** A change of name, path or description would make another policy, and roles outside keep the one before: it has none of them. */
function createPolicy(
  scope: Construct,
  output: string,
  grant: (policy: ManagedPolicy) => Grant,
): ManagedPolicy {
  const policy = new ManagedPolicy(scope, output);
  grant(policy);
  acknowledgeWildcards(policy);
  // The same name wherever the construct stands, as that of every output.
  new CfnOutput(scope, `${output}Output`, { value: policy.managedPolicyArn }).overrideLogicalId(output);
  return policy;
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** Acknowledges the wildcards that are known, each with the actions that may have it; any other one ends the synth. */
function acknowledgeWildcards(policy: ManagedPolicy): void {
  const { Statement } = Stack.of(policy).resolve(policy.document) as {
    readonly Statement: readonly Statement[];
  };
  for (const { Action, Resource } of Statement)
    for (const resource of [Resource].flat()) {
      const text = JSON.stringify(resource);
      if (!text.includes('*')) continue;
      const known = KNOWN_WILDCARDS.find(
        ({ ends, actions }) => text.includes(ends) && [Action].flat().every((name) => actions.test(name)),
      );
      if (known !== undefined) acknowledgeWildcard(policy, resource, known.reason);
    }
}

/** By the end of the resource, as JSON. */
const KNOWN_WILDCARDS: readonly {
  readonly ends: string;
  readonly actions: RegExp;
  readonly reason: string;
}[] = [
  {
    ends: '/*"',
    actions: /^secretsmanager:/,
    reason: 'Organizations come and go without a deployment, so the ARN names the stage alone.',
  },
  {
    ends: '"*"',
    actions: /^cloudformation:DescribeStacks$/,
    reason: 'The command looks for the stacks that have its outputs, so it lists all of them.',
  },
];
