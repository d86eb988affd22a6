// The REST API: the routes of the contract behind the authorizer, and a MOCK 404 for everything else.
import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AuthorizationType,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type IAccessLogDestination,
  type Integration,
  IpAddressType,
  type IResource,
  LambdaIntegration,
  type Method,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ROUTES } from '../../../core/contract/routes.ts';
import { acknowledge, arnText } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { Authorizer } from '../compute/authorizer.ts';
import { apiName } from '../compute/canary.ts';
import type { Executor } from '../compute/executor.ts';
import { executionTimeouts } from '../compute/timeouts.ts';
import { logGroupProps } from '../data/log-group.ts';
import { ACCESS_LOG_FORMAT, createAccessLog } from './access-log.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { addNotFound, addPreflight } from './mock-answers.ts';
import { addSamplingRule } from './sampling.ts';

export interface NeuronApiProps {
  readonly stage: Stage;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  /** Receives the access log through Firehose. @default a log group with the stage's retention */
  readonly logBucket?: IBucket | undefined;
  /** Callers must use the domain: the API's own address answers 403. @default false */
  readonly disableOwnAddress?: boolean | undefined;
}

export class NeuronApi extends Construct {
  readonly restApi: RestApi;
  /** Absent where the access log goes to a bucket. */
  readonly accessLog: LogGroup | undefined;

  constructor(scope: Construct, id: string, props: NeuronApiProps) {
    super(scope, id);
    const { stage, authorizer, executor } = props;
    const { destination, logGroup } = createAccessLog(this, stage, props.logBucket);
    this.accessLog = logGroup;
    this.restApi = createRestApi(this, props, destination);
    ownExecutionLog(this, stage, this.restApi);
    addSamplingRule(this, stage);
    new GatewayResponses(this, 'GatewayResponses', this.restApi);
    const integration = new LambdaIntegration(executor.service.target, {
      responseTransferMode:
        stage.transferMode === 'STREAM' ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED,
      timeout: executionTimeouts(stage).integration,
      // The console's test button would call the function past the authorizer.
      allowTestInvoke: false,
    });
    const { all, routes } = addRoutes(this.restApi, stage, integration, authorizer);
    deployAfterPermissions(this.restApi, authorizer);
    for (const resource of all) addNotFound(resource);
    for (const [resource, method] of routes) addPreflight(resource, method);
  }

  /** All requests, including those that API Gateway answers by itself. */
  metricRequests(options?: MetricOptions): Metric {
    return this.restApi.deploymentStage.metricCount(options);
  }

  /** Answers with 500 to 599. */
  metricServerErrors(options?: MetricOptions): Metric {
    return this.restApi.deploymentStage.metricServerError(options);
  }

  /** Answers with 400 to 499. */
  metricClientErrors(options?: MetricOptions): Metric {
    return this.restApi.deploymentStage.metricClientError(options);
  }

  /** From the request to the last byte of the answer, in milliseconds. */
  metricLatency(options?: MetricOptions): Metric {
    return this.restApi.deploymentStage.metricLatency(options);
  }
}

/**
 * API Gateway writes execution logs into a group of this name, and would make it outside the stack, without retention
 * (rest-api-execution-logging.html).
 */
function ownExecutionLog(scope: Construct, stage: Stage, restApi: RestApi): void {
  const logGroup = new LogGroup(scope, 'ExecutionLog', {
    logGroupName: `API-Gateway-Execution-Logs_${restApi.restApiId}/${stage.name}`,
    ...logGroupProps(stage),
  });
  restApi.deploymentStage.node.addDependency(logGroup);
}

interface Resources {
  /** Every resource at any depth; the last one matches all deeper paths. */
  readonly all: readonly IResource[];
  /** Those that are routes, each with its method. */
  readonly routes: ReadonlyMap<IResource, string>;
}

function addRoutes(
  restApi: RestApi,
  stage: Stage,
  integration: Integration,
  { requestAuthorizer }: Authorizer,
): Resources {
  const resources = new Set<IResource>([restApi.root]);
  const routes = new Map<IResource, string>();
  for (const { method, path } of ROUTES) {
    const resource = path
      .split('/')
      .slice(1)
      .reduce<IResource>((parent, part) => {
        const child = parent.getResource(part) ?? parent.addResource(part);
        resources.add(child);
        return child;
      }, restApi.root);
    routes.set(resource, method);
    const added = resource.addMethod(method, integration, {
      authorizationType: AuthorizationType.CUSTOM,
      authorizer: requestAuthorizer,
    });
    nameStage(added, restApi, `${stage.name}/${method}${path.replaceAll(/\{[^}]+\}/g, '*')}`);
    acknowledge(
      added,
      'AwsSolutions::AwsSolutions-COG4',
      'Each neuron sets who may call it (public, API key, JWT); the Lambda authorizer enforces that.',
    );
  }
  // Whatever is deeper than feedback, or than the routes below a resource that ends in a parameter.
  const deeper = ROUTES.filter(({ surface }) => surface === 'native')
    .slice(1)
    .map(({ path }) => restApi.root.resourceForPath(path).addResource('{proxy+}'));
  const beside = restApi.root.resourceForPath('/v1/{organization}/{neuron}').addResource('{proxy+}');
  return { all: [...resources, ...deeper, beside], routes };
}

/** The CDK refers to the stage for its name, which a deployment that waits for the permission must not depend on. */
function nameStage(method: Method, restApi: RestApi, resourceName: string): void {
  const sourceArn = Stack.of(restApi).formatArn({
    service: 'execute-api',
    resource: restApi.restApiId,
    resourceName,
  });
  for (const child of method.node.findAll()) if (child instanceof CfnPermission) child.sourceArn = sourceArn;
}

/** A stage that points to functions which it may not call yet would answer 500 for some seconds. */
function deployAfterPermissions(restApi: RestApi, authorizer: Authorizer): void {
  const permissions = [...restApi.node.findAll(), ...authorizer.node.findAll()].filter(
    (each) => each instanceof CfnPermission,
  );
  restApi.latestDeployment?.node.addDependency(...permissions);
}

function createRestApi(
  scope: Construct,
  { stage, disableOwnAddress }: NeuronApiProps,
  accessLog: IAccessLogDestination,
): RestApi {
  const restApi = new RestApi(scope, 'RestApi', {
    restApiName: apiName(stage),
    description: `Neuron Execution Service (${stage.name})`,
    // IPv4 only: address lists hold IPv4, so every one of them would refuse a caller over IPv6.
    endpointConfiguration: { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.IPV4 },
    cloudWatchRole: stage.accountLogRole,
    // Even where the first deployment fails: another API of the account may already log with it.
    ...(stage.accountLogRole ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN } : {}),
    ...(disableOwnAddress === true ? { disableExecuteApiEndpoint: true } : {}),
    deployOptions: stageOptions(stage, accessLog),
  });
  // The stack has an output of its own for the URL.
  restApi.node.tryRemoveChild('Endpoint');
  requireModernTls(restApi);
  acknowledgeNag(restApi, stage);
  return restApi;
}

/** Without a policy a Regional API accepts TLS 1.0 (apigateway-security-policies-list.html); RestApi has no property for it yet. */
function requireModernTls(restApi: RestApi): void {
  const resource = restApi.node.defaultChild;
  if (!(resource instanceof CfnRestApi)) throw new Error('RestApi no longer makes a REST API');
  resource.securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
  resource.endpointAccessMode = EndpointAccessMode.STRICT;
}

function stageOptions(stage: Stage, accessLog: IAccessLogDestination): StageOptions {
  return {
    stageName: stage.name,
    throttlingRateLimit: stage.throttle.requestsPerSecond,
    throttlingBurstLimit: stage.throttle.burst,
    accessLogDestination: accessLog,
    accessLogFormat: ACCESS_LOG_FORMAT,
    // Never INFO and never data traces: they hold headers, and so tokens.
    loggingLevel: MethodLoggingLevel.ERROR,
    dataTraceEnabled: false,
    tracingEnabled: true,
  };
}

function acknowledgeNag(restApi: RestApi, { firewall }: Stage): void {
  acknowledge(
    restApi,
    'AwsSolutions::AwsSolutions-APIG2',
    'The function validates requests: API Gateway would answer every error with the same status and text.',
  );
  if (firewall === undefined) {
    acknowledge(
      restApi,
      'AwsSolutions::AwsSolutions-APIG3',
      'A firewall costs while idle, so it is a stage setting; the stage throttle and the limits of each neuron hold without it.',
    );
  }
  const policy = `arn:${Aws.PARTITION}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`;
  acknowledge(
    restApi,
    `AwsSolutions::AwsSolutions-IAM4[Policy::${arnText(restApi, policy)}]`,
    'One role per account and region writes the logs of every API; AWS maintains the policy that it needs.',
  );
}
