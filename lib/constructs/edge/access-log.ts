// The access log of the API: one JSON line per request, without query string and headers, which may contain keys.
import { Names } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  FirehoseLogDestination,
  type IAccessLogDestination,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigateway';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { logGroupProps } from '../data/log-group.ts';

/** Names follow API Gateway's context variables (api-gateway-variables-for-access-logging.html). */
const FIELDS = {
  requestTimeEpoch: '$context.requestTimeEpoch',
  extendedRequestId: '$context.extendedRequestId',
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  httpMethod: '$context.httpMethod',
  resourcePath: '$context.resourcePath',
  path: '$context.path',
  status: '$context.status',
  responseType: '$context.error.responseType',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integration.latency',
  integrationStatus: '$context.integration.status',
  authorizerLatency: '$context.authorizer.latency',
  authorizerError: '$context.authorizer.error',
  tlsVersion: '$context.tlsVersion',
} as const;

const STREAM_PREFIX = 'amazon-apigateway-';

export const ACCESS_LOG_FORMAT = AccessLogFormat.custom(JSON.stringify(FIELDS));

interface AccessLog {
  readonly destination: IAccessLogDestination;
  /** Absent where the destination is a bucket. */
  readonly logGroup: LogGroup | undefined;
}

/** A log group with the stage's retention, or a bucket with lifecycle rules of its own. */
export function createAccessLog(scope: Construct, stage: Stage, bucket: IBucket | undefined): AccessLog {
  if (bucket !== undefined) {
    const destination = new FirehoseLogDestination(deliverTo(scope, stage, bucket));
    return { destination, logGroup: undefined };
  }
  const logGroup = new LogGroup(scope, 'AccessLog', logGroupProps(stage));
  return { destination: new LogGroupLogDestination(logGroup), logGroup };
}

/** API Gateway writes to a bucket only through a Firehose stream whose name begins with `amazon-apigateway-` (set-up-logging.html). */
function deliverTo(scope: Construct, stage: Stage, bucket: IBucket): CfnDeliveryStream {
  const folder = `neuron-${stage.name}`;
  const role = new Role(scope, 'AccessLogRole', {
    assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
  });
  const errors = new LogGroup(scope, 'AccessLogErrors', logGroupProps(stage));
  const logStream = errors.addStream('AccessLogDelivery');
  const grant = grantDelivery(role, bucket, folder).combine(errors.grant(role, 'logs:PutLogEvents'));
  const stream = new CfnDeliveryStream(scope, 'AccessLogStream', {
    // Unique in account and region, because it contains the name of the stack.
    deliveryStreamName: `${STREAM_PREFIX}${Names.uniqueResourceName(scope, { maxLength: 64 - STREAM_PREFIX.length, separator: '-' })}`,
    deliveryStreamType: 'DirectPut',
    deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
    extendedS3DestinationConfiguration: {
      bucketArn: bucket.bucketArn,
      roleArn: role.roleArn,
      prefix: `${folder}/access/`,
      errorOutputPrefix: `${folder}/access-failed/`,
      compressionFormat: 'GZIP',
      bufferingHints: { intervalInSeconds: 300, sizeInMBs: 5 },
      cloudWatchLoggingOptions: {
        enabled: true,
        logGroupName: errors.logGroupName,
        logStreamName: logStream.logStreamName,
      },
    },
  });
  grant.applyBefore(stream);
  return stream;
}

/** The actions that Firehose asks for (firehose/latest/dev/controlling-access.html#using-iam-s3), on its own folder of the bucket. */
function grantDelivery(role: Role, bucket: IBucket, folder: string): Grant {
  const objects = bucket.arnForObjects(`${folder}/*`);
  acknowledgeWildcard(
    role,
    objects,
    'Names of objects contain the time of the delivery; the folder is named.',
  );
  bucket.encryptionKey?.grantEncryptDecrypt(role);
  const ofBucket = Grant.addToPrincipal({
    grantee: role,
    actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
    resourceArns: [bucket.bucketArn],
  });
  const ofObjects = Grant.addToPrincipal({
    grantee: role,
    actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
    resourceArns: [objects],
  });
  return ofBucket.combine(ofObjects);
}
