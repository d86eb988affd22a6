// The supported resource types, with their supported and ignored properties. Any other type or property is an error at start.

/** The properties of one type. Dotted names are members of a property, or of the objects in its list. */
export interface PropertyLists {
  readonly supported: readonly string[];
  /** By property: why it has no effect on one machine. */
  readonly ignored: Readonly<Record<string, string>>;
}

const NO_IAM = 'no permission is checked on one machine';
const LABEL = 'a label';
const NO_CAPACITY = 'the engine has no capacity to buy or to run out of';
const NO_ENCRYPTION = 'the data is in files of this user; nothing encrypts them with a key of AWS';
const NO_BACKUP = 'copy the data folder instead';
const NO_CLOUDWATCH = 'there is no CloudWatch';
const NO_CACHE = 'the response cache is off unless CachingEnabled is true, which is refused';
const NO_TLS = 'there is no TLS on 127.0.0.1';
const NO_VALIDATORS = 'read by request validators only, which are refused';
const ON_DEMAND = 'environments start on demand';
const OWN_RUNTIME = "the runtime is the machine's Node.js";
const ONE_REGION = 'there is one copy of the table';
const LOGGED = 'a run that fails is named in the log of the local run';

const GLOBAL_INDEX = [
  'GlobalSecondaryIndexes.IndexName',
  'GlobalSecondaryIndexes.KeySchema',
  'GlobalSecondaryIndexes.Projection',
];

export const SUPPORTED_TYPES: Readonly<Record<string, PropertyLists>> = {
  'AWS::ApiGateway::RestApi': {
    supported: ['BinaryMediaTypes', 'Name'],
    ignored: {
      ApiKeySourceType: 'methods that need an API key are refused',
      Description: LABEL,
      DisableExecuteApiEndpoint: 'the local address is the only one',
      EndpointAccessMode: NO_TLS,
      EndpointConfiguration: 'the only endpoint is 127.0.0.1',
      FailOnWarnings: 'for OpenAPI bodies, which are refused',
      Policy: NO_IAM,
      SecurityPolicy: NO_TLS,
      Tags: LABEL,
    },
  },
  'AWS::ApiGateway::Resource': { supported: ['ParentId', 'PathPart', 'RestApiId'], ignored: {} },
  'AWS::ApiGateway::Method': {
    supported: [
      'ApiKeyRequired',
      'AuthorizationType',
      'AuthorizerId',
      'HttpMethod',
      'Integration',
      'Integration.IntegrationHttpMethod',
      'Integration.IntegrationResponses',
      'Integration.PassthroughBehavior',
      'Integration.RequestTemplates',
      'Integration.ResponseTransferMode',
      'Integration.TimeoutInMillis',
      'Integration.Type',
      'Integration.Uri',
      'MethodResponses',
      'ResourceId',
      'RestApiId',
    ],
    ignored: {
      'Integration.CacheKeyParameters': NO_CACHE,
      'Integration.CacheNamespace': NO_CACHE,
      'Integration.Credentials': NO_IAM,
      OperationName: LABEL,
      RequestModels: NO_VALIDATORS,
      RequestParameters: NO_VALIDATORS,
    },
  },
  'AWS::ApiGateway::Authorizer': {
    supported: [
      'AuthorizerResultTtlInSeconds',
      'AuthorizerUri',
      'IdentitySource',
      'Name',
      'RestApiId',
      'Type',
    ],
    ignored: { AuthType: LABEL, AuthorizerCredentials: NO_IAM },
  },
  'AWS::ApiGateway::GatewayResponse': {
    supported: ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'RestApiId', 'StatusCode'],
    ignored: {},
  },
  'AWS::ApiGateway::Deployment': {
    supported: ['RestApiId'],
    ignored: { Description: LABEL },
  },
  'AWS::ApiGateway::Stage': {
    supported: [
      'DeploymentId',
      'MethodSettings',
      'MethodSettings.HttpMethod',
      'MethodSettings.ResourcePath',
      'MethodSettings.ThrottlingBurstLimit',
      'MethodSettings.ThrottlingRateLimit',
      'RestApiId',
      'StageName',
      'Variables',
    ],
    ignored: {
      AccessLogSetting: NO_CLOUDWATCH,
      Description: LABEL,
      'MethodSettings.DataTraceEnabled': NO_CLOUDWATCH,
      'MethodSettings.LoggingLevel': NO_CLOUDWATCH,
      'MethodSettings.MetricsEnabled': NO_CLOUDWATCH,
      Tags: LABEL,
      TracingEnabled: 'there is no X-Ray',
    },
  },
  'AWS::Lambda::Function': {
    supported: [
      'CapacityProviderConfig',
      'CapacityProviderConfig.LambdaManagedInstancesCapacityProviderConfig',
      'Code',
      'Environment',
      'FunctionName',
      'Handler',
      'LoggingConfig',
      'MemorySize',
      'PackageType',
      'ReservedConcurrentExecutions',
      'Runtime',
      'Timeout',
    ],
    ignored: {
      Architectures: 'the processor is that of the machine',
      Description: LABEL,
      FunctionScalingConfig: ON_DEMAND,
      KmsKeyArn: NO_ENCRYPTION,
      PublishToLatestPublished: 'there is one version of the code',
      Role: NO_IAM,
      RuntimeManagementConfig: OWN_RUNTIME,
      Tags: LABEL,
      TracingConfig: 'there is no X-Ray',
    },
  },
  'AWS::Lambda::Version': {
    supported: ['FunctionName'],
    ignored: {
      CodeSha256: 'there is one version of the code',
      Description: LABEL,
      ProvisionedConcurrencyConfig: ON_DEMAND,
      RuntimePolicy: OWN_RUNTIME,
    },
  },
  'AWS::Lambda::Alias': {
    supported: ['FunctionName', 'FunctionVersion', 'Name'],
    ignored: {
      Description: LABEL,
      ProvisionedConcurrencyConfig: ON_DEMAND,
    },
  },
  'AWS::Lambda::EventSourceMapping': {
    supported: [
      'BatchSize',
      'Enabled',
      'EventSourceArn',
      'FilterCriteria',
      'FunctionName',
      'FunctionResponseTypes',
      'MaximumRetryAttempts',
      'StartingPosition',
    ],
    ignored: {
      BisectBatchOnFunctionError: 'a failed batch is retried whole',
      DestinationConfig: 'a batch that is given up is named in the log of the local run',
      KmsKeyArn: NO_ENCRYPTION,
      MaximumBatchingWindowInSeconds: 'records wait at most half a second, and none after a quiet time',
      MaximumRecordAgeInSeconds: 'only MaximumRetryAttempts ends the retries',
      MetricsConfig: NO_CLOUDWATCH,
      ParallelizationFactor: 'batches are delivered one after the other',
      Tags: LABEL,
    },
  },
  'AWS::DynamoDB::Table': {
    supported: [
      'AttributeDefinitions',
      'DeletionProtectionEnabled',
      ...GLOBAL_INDEX,
      'KeySchema',
      'LocalSecondaryIndexes',
      'StreamSpecification.StreamViewType',
      'TableName',
      'TimeToLiveSpecification',
      'VectorIndexes',
    ],
    ignored: {
      BillingMode: NO_CAPACITY,
      ContributorInsightsSpecification: NO_CLOUDWATCH,
      'GlobalSecondaryIndexes.ContributorInsightsSpecification': NO_CLOUDWATCH,
      'GlobalSecondaryIndexes.OnDemandThroughput': NO_CAPACITY,
      'GlobalSecondaryIndexes.ProvisionedThroughput': NO_CAPACITY,
      'GlobalSecondaryIndexes.WarmThroughput': NO_CAPACITY,
      OnDemandThroughput: NO_CAPACITY,
      PointInTimeRecoverySpecification: NO_BACKUP,
      ProvisionedThroughput: NO_CAPACITY,
      ResourcePolicy: NO_IAM,
      SSESpecification: NO_ENCRYPTION,
      'StreamSpecification.ResourcePolicy': NO_IAM,
      TableClass: NO_CAPACITY,
      Tags: LABEL,
      WarmThroughput: NO_CAPACITY,
    },
  },
  'AWS::DynamoDB::GlobalTable': {
    supported: [
      'AttributeDefinitions',
      ...GLOBAL_INDEX,
      'KeySchema',
      'LocalSecondaryIndexes',
      'Replicas.DeletionProtectionEnabled',
      'Replicas.Region',
      'StreamSpecification.StreamViewType',
      'TableName',
      'TimeToLiveSpecification',
      'VectorIndexes',
    ],
    ignored: {
      BillingMode: NO_CAPACITY,
      'GlobalSecondaryIndexes.ReadOnDemandThroughputSettings': NO_CAPACITY,
      'GlobalSecondaryIndexes.ReadProvisionedThroughputSettings': NO_CAPACITY,
      'GlobalSecondaryIndexes.WarmThroughput': NO_CAPACITY,
      'GlobalSecondaryIndexes.WriteOnDemandThroughputSettings': NO_CAPACITY,
      'GlobalSecondaryIndexes.WriteProvisionedThroughputSettings': NO_CAPACITY,
      MultiRegionConsistency: ONE_REGION,
      ReadOnDemandThroughputSettings: NO_CAPACITY,
      ReadProvisionedThroughputSettings: NO_CAPACITY,
      'Replicas.ContributorInsightsSpecification': NO_CLOUDWATCH,
      'Replicas.GlobalSecondaryIndexes': 'capacity and insights of one region',
      'Replicas.PointInTimeRecoverySpecification': NO_BACKUP,
      'Replicas.ReadOnDemandThroughputSettings': NO_CAPACITY,
      'Replicas.ReadProvisionedThroughputSettings': NO_CAPACITY,
      'Replicas.ReplicaStreamSpecification': NO_IAM,
      'Replicas.ResourcePolicy': NO_IAM,
      'Replicas.SSESpecification': NO_ENCRYPTION,
      'Replicas.TableClass': NO_CAPACITY,
      'Replicas.Tags': LABEL,
      SSESpecification: NO_ENCRYPTION,
      WarmThroughput: NO_CAPACITY,
      WriteOnDemandThroughputSettings: NO_CAPACITY,
      WriteProvisionedThroughputSettings: NO_CAPACITY,
    },
  },
  'AWS::Events::Rule': {
    supported: ['Name', 'ScheduleExpression', 'State', 'Targets.Arn', 'Targets.Id', 'Targets.Input'],
    ignored: {
      Description: LABEL,
      EventBusName: 'only schedules are run',
      RoleArn: NO_IAM,
      Tags: LABEL,
      'Targets.DeadLetterConfig': LOGGED,
      'Targets.RetryPolicy': 'a run that fails is tried again at the next time only',
      'Targets.RoleArn': NO_IAM,
    },
  },
};
