// The resources of a template, with every intrinsic function resolved.

/** One CloudFormation resource after resolution; `properties` has the shape of the AWS resource type reference. */
export interface ResolvedResource {
  readonly stack: string;
  readonly logicalId: string;
  /** For example `AWS::Lambda::Function`. */
  readonly type: string;
  /** `Ref`: the table's name, the function's name, the API's id. */
  readonly physicalId: string;
  /** `Fn::GetAtt …Arn`, if the type has one. */
  readonly arn: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Holds `aws:asset:path` of a function's code. */
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

/** The pseudo parameters that are the same for all stacks of a region. */
export interface PseudoParameters {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly urlSuffix: string;
}
