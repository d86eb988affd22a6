// Acknowledges findings of cdk-nag and of our own checks: on the construct that each is about, and with a reason.
import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Acknowledges a finding, such as `AwsSolutions::AwsSolutions-APIG2`, for a construct and its children. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}

/** Acknowledges a wildcard in a policy of the construct, for this resource only: an ARN, or what it resolves to. */
export function acknowledgeWildcard(construct: IConstruct, resource: unknown, reason: string): void {
  acknowledge(
    construct,
    `AwsSolutions::AwsSolutions-IAM5[Resource::${arnText(construct, resource)}]`,
    reason,
  );
}

/** An ARN as cdk-nag writes it: with `<AWS::Region>` for the value of a reference, `<Id.Arn>` for that of an attribute. */
export function arnText(construct: IConstruct, arn: unknown): string {
  const resolved: unknown = Stack.of(construct).resolve(arn);
  if (typeof resolved === 'string') return resolved;
  const [, parts] = (resolved as { readonly 'Fn::Join': readonly [string, readonly unknown[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : `<${nameOf(part)}>`)).join('');
}

function nameOf(part: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = part as {
    readonly Ref?: string;
    readonly 'Fn::GetAtt'?: string[];
  };
  return Ref ?? attribute?.join('.') ?? '';
}
