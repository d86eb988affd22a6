// A Lambda function of the service: its bundle, a role of its own with only the named permissions, and its log group.
import type { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { logGroupProps } from '../data/log-group.ts';
import { BUNDLE_HANDLER, bundle } from './bundle.ts';
import { Canary } from './canary.ts';

export interface ServiceFunctionProps {
  readonly stage: Stage;
  /** The handler's file, from the root of the repository; it exports `handler`. */
  readonly entry: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
  /** @default the account's unreserved concurrency */
  readonly reservedConcurrency?: number | undefined;
  /** Execution environments kept initialized. @default none */
  readonly provisionedConcurrency?: number | undefined;
  /** Whether the function will run on managed instances: CloudFormation cannot move one there and back, so it is another function. */
  readonly onInstances?: boolean | undefined;
  /** How calls move to a new version. @default all at once */
  readonly canary?: Stage['canary'];
  /** Whether it works for a request of the API, whose trace it goes on with. @default it works for a stream or a schedule and is not traced */
  readonly isOnRequests?: boolean;
  /** Everything that the function may do beside writing its log and traces. */
  readonly permissions: readonly PolicyStatement[];
  /** @default the entry, bundled */
  readonly code?: Code | undefined;
}

export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  /** The target of invocations: the alias `live` with provisioned concurrency or a canary, which are of versions; else the function. */
  readonly target: IFunction;
  readonly logGroup: LogGroup;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { stage } = props;
    this.logGroup = new LogGroup(this, 'Logs', logGroupProps(stage));
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    for (const statement of props.permissions) this.role.addToPolicy(statement);
    this.handler = new LambdaFunction(this, props.onInstances === true ? 'SharedFunction' : 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      role: this.role,
      timeout: props.timeout,
      memorySize: stage.memoryMegabytes,
      environment: { ...props.environment },
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      logGroup: this.logGroup,
      // The function writes JSON lines itself; START, END and REPORT lines of each call would cost more than they say.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      // Active tracing would take the first run of each second of each other function, which X-Ray bills as a trace.
      tracing: props.isOnRequests === true ? Tracing.ACTIVE : Tracing.DISABLED,
      code: props.code ?? bundle(props.entry),
      handler: BUNDLE_HANDLER,
    });
    this.target = this.#target(props);
    if (props.isOnRequests === true)
      acknowledgeWildcard(this.role, '*', "X-Ray's two write actions support no resource but *.");
    else
      acknowledge(
        this.handler,
        'Serverless::Serverless-LambdaTracing',
        'A run for a stream or a schedule belongs to no request. X-Ray takes the first of each second, and bills it.',
      );
    if (!stage.protectData && props.reservedConcurrency === undefined && props.onInstances !== true) {
      acknowledge(
        this.handler,
        'Neuron::FunctionWithoutConcurrencyLimit',
        'A stage without protectData may share an account too small for reserved concurrency; the API throttle still applies.',
      );
    }
    acknowledge(
      this.handler,
      'Serverless::Serverless-LambdaDLQ',
      'A dead-letter queue takes asynchronous invocations only: callers wait for an answer, the stream retries a batch, and a schedule comes again.',
    );
  }

  #target({ stage, provisionedConcurrency, canary }: ServiceFunctionProps): IFunction {
    if (provisionedConcurrency === undefined && canary === undefined) return this.handler;
    const alias = new Alias(this, 'Live', {
      aliasName: 'live',
      version: this.handler.currentVersion as IVersion,
      ...(provisionedConcurrency === undefined
        ? {}
        : { provisionedConcurrentExecutions: provisionedConcurrency }),
    });
    if (canary !== undefined) new Canary(this, 'Canary', { stage, alias, canary });
    // The CDK's own classes do not fit its interfaces where optional properties are exact.
    return alias as IFunction;
  }

  /** Limits how often Lambda repeats a failed run that a schedule started. */
  limitRetries(options: { readonly retryAttempts?: number; readonly maxEventAge: Duration }): void {
    this.handler.configureAsyncInvoke(options);
    acknowledge(
      this.handler,
      'Serverless::Serverless-LambdaAsyncFailureDestination',
      'A scheduled run that failed leaves nothing behind: the next one does all that is due.',
    );
  }

  /** Invocations that failed or timed out. The authorizer throws to answer 401, which counts as one: use `authorizerFaults` there. */
  metricErrors(options?: MetricOptions): Metric {
    return this.handler.metricErrors(options);
  }

  /** Runs without a failure, 0 where there were none. */
  metricSucceeded(label: string, period: Duration): MathExpression {
    const counted = { statistic: Stats.SUM, period };
    return new MathExpression({
      expression: 'FILL(runs, 0) - FILL(failures, 0)',
      usingMetrics: { runs: this.handler.metricInvocations(counted), failures: this.metricErrors(counted) },
      label,
      period,
    });
  }

  /** Calls that Lambda throttled: the reserved concurrency or the account's was used up. */
  metricThrottles(options?: MetricOptions): Metric {
    return this.handler.metricThrottles(options);
  }

  /** How long runs take, in milliseconds. */
  metricDuration(options?: MetricOptions): Metric {
    return this.handler.metricDuration(options);
  }
}
