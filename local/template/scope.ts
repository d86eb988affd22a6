// The names that an intrinsic function can use: those of one stack, looked up when they are needed.

import type { PseudoParameters } from './types.ts';

/** Lookups in one stack; each throws an Error that names what is missing. */
export interface Scope {
  readonly stack: string;
  readonly pseudo: PseudoParameters;
  readonly mappings: Readonly<Record<string, unknown>>;
  /** The value of a parameter; undefined if there is none of this name. */
  parameter(name: string): unknown;
  condition(name: string): boolean;
  /** `Ref` of a resource. */
  physicalId(logicalId: string): string;
  /** `Fn::GetAtt` of a resource. */
  attribute(logicalId: string, name: string): unknown;
  /** The export of another stack. */
  importValue(name: string): unknown;
}

export function pseudoParameters(region: string, accountId: string): PseudoParameters {
  const isChina = region.startsWith('cn-');
  return {
    accountId,
    region,
    partition: isChina ? 'aws-cn' : 'aws',
    urlSuffix: isChina ? 'amazonaws.com.cn' : 'amazonaws.com',
  };
}

/** The result of `AWS::NoValue`: the property or the entry that holds it is left out. */
export const NO_VALUE = Symbol('AWS::NoValue');

/** The value of a pseudo parameter; undefined for any other name (CloudFormation User Guide, "Pseudo parameters"). */
export function pseudoParameter(scope: Scope, name: string): unknown {
  const { accountId, region, partition, urlSuffix } = scope.pseudo;
  switch (name) {
    case 'AWS::AccountId':
      return accountId;
    case 'AWS::Region':
      return region;
    case 'AWS::Partition':
      return partition;
    case 'AWS::URLSuffix':
      return urlSuffix;
    case 'AWS::StackName':
      return scope.stack;
    case 'AWS::StackId':
      return `arn:${partition}:cloudformation:${region}:${accountId}:stack/${scope.stack}/00000000-0000-0000-0000-000000000000`;
    case 'AWS::NotificationARNs':
      return [];
    case 'AWS::NoValue':
      return NO_VALUE;
    default:
      return undefined;
  }
}
