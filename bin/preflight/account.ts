// The port to the AWS account that the preflight reads, so that its checks are tested without AWS.

export interface StackState {
  /** Such as `ROLLBACK_COMPLETE` (cloudformation/latest/APIReference/API_Stack.html). */
  readonly status: string;
  readonly terminationProtection: boolean;
}

/** Concurrent executions of Lambda in the account and region. */
export interface Concurrency {
  readonly quota: number;
  /** Not reserved by any function. */
  readonly unreserved: number;
}

/** API Gateway's throttle of the account and region. */
export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

export interface StackResource {
  readonly logicalId: string;
  /** Such as `AWS::Logs::LogGroup`. */
  readonly type: string;
  /** Physical id: the name of a table or log group, the id of an API. */
  readonly id: string;
}

/** A global secondary index of a table as it exists. */
export interface DeployedIndex {
  readonly name: string;
  readonly partition: string | undefined;
  readonly sort: string | undefined;
  /** Attributes that are projected beside the keys. */
  readonly include: readonly string[];
}

/** One account and region. Every method throws the error of its AWS API, such as `AccessDeniedException`. */
export interface Account {
  /** Undefined where there is no stack of the name. */
  readStack(name: string): Promise<StackState | undefined>;
  readConcurrency(): Promise<Concurrency>;
  readThrottle(): Promise<Throttle>;
  /** Empty where there is no stack of the name. */
  listResources(stack: string): Promise<readonly StackResource[]>;
  hasLogGroup(name: string): Promise<boolean>;
  readIndexes(table: string): Promise<readonly DeployedIndex[]>;
  /** Version of the CDK bootstrap; undefined where the region has none. */
  readBootstrapVersion(): Promise<number | undefined>;
  /** ARN of the role with which API Gateway writes logs; undefined where none is set. */
  readLogRole(): Promise<string | undefined>;
  hasDomain(name: string): Promise<boolean>;
  /** Whether there is a secret whose name begins so. */
  hasSecrets(prefix: string): Promise<boolean>;
}
