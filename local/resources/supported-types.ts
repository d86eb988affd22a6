// First list: the supported resource types, with their supported and ignored properties.

import { FUNCTION_PROPERTIES, type PropertyLists } from '../functions/supported-properties.ts';
import { API_PROPERTIES } from '../http/supported-properties.ts';

const NO_IAM = 'no permission is checked on one machine';
const LABEL = 'a label';
const NO_CAPACITY = 'the engine has no capacity to buy or to run out of';
const NO_ENCRYPTION = 'the data is in files of this user; nothing encrypts them with a key of AWS';
const NO_BACKUP = 'copy the data folder instead';
const NO_CLOUDWATCH = 'there is no CloudWatch';
const ONE_REGION = 'there is one copy of the table';
const SOONER = 'records wait at most half a second, and none after a quiet time';

const GLOBAL_INDEX = [
  'GlobalSecondaryIndexes.IndexName',
  'GlobalSecondaryIndexes.KeySchema',
  'GlobalSecondaryIndexes.Projection',
];

const EVENT_SOURCE: PropertyLists = {
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
    MaximumBatchingWindowInSeconds: SOONER,
    MaximumRecordAgeInSeconds: 'only MaximumRetryAttempts ends the retries',
    MetricsConfig: NO_CLOUDWATCH,
    ParallelizationFactor: 'batches are delivered one after the other',
    Tags: LABEL,
  },
};

/** By resource type. A property whose members are listed (`A.B`) is checked member by member, any other one as a whole. */
export const SUPPORTED_TYPES: Readonly<Record<string, PropertyLists>> = {
  ...FUNCTION_PROPERTIES,
  ...API_PROPERTIES,
  'AWS::Lambda::EventSourceMapping': EVENT_SOURCE,
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
      'Targets.DeadLetterConfig': 'a run that fails is named in the log of the local run',
      'Targets.RetryPolicy': 'a run that fails is tried again at the next time only',
      'Targets.RoleArn': NO_IAM,
    },
  },
};
