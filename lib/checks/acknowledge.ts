// Acknowledging a finding of cdk-nag: always on the construct that it is about, and never without a reason.
import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Acknowledges a finding, such as `AwsSolutions::AwsSolutions-APIG2`, for one construct and what is in it. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}

/** Acknowledges one wildcard in a policy of the construct: this resource, and no other. */
export function acknowledgeWildcard(construct: IConstruct, resource: string, reason: string): void {
  acknowledge(
    construct,
    `AwsSolutions::AwsSolutions-IAM5[Resource::${findingText(construct, resource)}]`,
    reason,
  );
}

/** An ARN as cdk-nag writes it: `<AWS::Region>` where CloudFormation fills in the region. */
export function findingText(construct: IConstruct, arn: string): string {
  const resolved: unknown = Stack.of(construct).resolve(arn);
  if (typeof resolved === 'string') return resolved;
  const [, parts] = (resolved as { readonly 'Fn::Join': readonly [string, readonly unknown[]] })['Fn::Join'];
  return parts
    .map((part) => (typeof part === 'string' ? part : `<${(part as { readonly Ref: string }).Ref}>`))
    .join('');
}
