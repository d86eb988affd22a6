// What the loader hands to every part of the local run: resources with every intrinsic function resolved.

/** One CloudFormation resource after resolution; `properties` has the shape of the AWS resource type reference. */
export interface ResolvedResource {
  readonly stack: string;
  readonly logicalId: string;
  /** For example `AWS::Lambda::Function`. */
  readonly type: string;
  /** What `Ref` gives: the table's name, the function's name, the API's id, the secret's ARN. */
  readonly physicalId: string;
  /** What `Fn::GetAtt …Arn` gives, where the type has one. */
  readonly arn: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /** `Metadata`, which holds `aws:asset:path` of a function's code. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** One stack of the assembly; `folder` is where its assets are. */
export interface ResolvedStack {
  readonly name: string;
  readonly folder: string;
  readonly resources: readonly ResolvedResource[];
  /** Output values by output logical id. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** The fixed pseudo parameters of a local run. */
export interface PseudoParameters {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly urlSuffix: string;
}
