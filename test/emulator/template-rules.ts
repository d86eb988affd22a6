// What the emulator cannot make, taken out of a copy of the templates before they are deployed, each with its reason.
import type { Resource, Template } from './deployment.ts';

export interface TemplateRule {
  readonly name: string;
  readonly reason: string;
  /** Gives how many resources were changed. */
  apply(template: Template): number;
}

export const TEMPLATE_RULES: readonly TemplateRule[] = [
  {
    name: 'alarms on expressions',
    reason:
      'the emulator refuses `Metrics` of AWS::CloudWatch::Alarm; AWS takes it instead of `MetricName` ' +
      '(https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-alarm.html)',
    apply: ({ Resources }) =>
      remove(
        Resources,
        ({ Type, Properties }) => Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in Properties,
      ),
  },
  {
    name: 'sampling rules',
    reason:
      'the emulator knows no AWS::XRay::SamplingRule and refuses the template; AWS has it ' +
      '(https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-xray-samplingrule.html)',
    apply: ({ Resources }) => remove(Resources, ({ Type }) => Type === 'AWS::XRay::SamplingRule'),
  },
  {
    name: 'conditions on events',
    reason:
      'the emulator gives `events:PutEvents` none of its condition keys, so that it denies every event; AWS has them ' +
      '(https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html)',
    apply({ Resources }) {
      const isMeant = ({ Action }: Statement) => Action === 'events:PutEvents';
      const statements = Object.values(Resources).flatMap(statementsOf).filter(isMeant);
      for (const statement of statements) delete statement.Condition;
      return statements.length;
    },
  },
];

interface Statement {
  readonly Action: unknown;
  Condition?: unknown;
}

/** Those of a policy; none of any other resource, some of which have no properties. */
function statementsOf({ Properties }: Resource): readonly Statement[] {
  const policy = Properties?.['PolicyDocument'] as { readonly Statement: readonly Statement[] } | undefined;
  return policy?.Statement ?? [];
}

/** Removes resources that nothing refers to but `DependsOn`. */
function remove(resources: Template['Resources'], isMeant: (resource: Resource) => boolean): number {
  const ids = Object.keys(resources).filter((id) => isMeant(resources[id]!));
  for (const id of ids) delete resources[id];
  for (const resource of Object.values(resources))
    if (Array.isArray(resource.DependsOn))
      resource.DependsOn = resource.DependsOn.filter((id) => !ids.includes(id));
  return ids.length;
}
