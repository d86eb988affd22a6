// What an intrinsic function can see: the names of one stack, looked up when they are needed.

import type { PseudoParameters } from './types.ts';

/** Lookups of one stack; each throws an Error that says what is missing. */
export interface Scope {
  readonly stack: string;
  readonly pseudo: PseudoParameters;
  readonly mappings: Readonly<Record<string, unknown>>;
  /** The value of a parameter, or undefined when no parameter has the name. */
  parameter(name: string): unknown;
  /** The verdict of a condition. */
  condition(name: string): boolean;
  /** What `Ref` gives for a resource. */
  physicalId(logicalId: string): string;
  /** What `Fn::GetAtt` gives for a resource. */
  attribute(logicalId: string, name: string): unknown;
  /** What another stack exports under the name. */
  importValue(name: string): unknown;
}

/** What `AWS::NoValue` becomes: the property or the entry that holds it is left out. */
export const NO_VALUE = Symbol('AWS::NoValue');

/** The value of a pseudo parameter; undefined when the name is none (CloudFormation User Guide, "Pseudo parameters"). */
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
