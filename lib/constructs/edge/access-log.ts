// The access log of the API: one JSON line per request, without query string and headers, which may contain keys.
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  FirehoseLogDestination,
  type IAccessLogDestination,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigateway';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';

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

/** The format of one line. */
export const ACCESS_LOG_FORMAT = AccessLogFormat.custom(JSON.stringify(FIELDS));

/** The destination of the lines. */
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
  const logGroup = new LogGroup(scope, 'AccessLog', {
    retention: stage.logRetentionDays as RetentionDays,
    removalPolicy: stage.protectData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  return { destination: new LogGroupLogDestination(logGroup), logGroup };
}

/** API Gateway writes to a bucket only through a Firehose stream whose name begins with `amazon-apigateway-` (set-up-logging.html). */
function deliverTo(scope: Construct, stage: Stage, bucket: IBucket): CfnDeliveryStream {
  const role = new Role(scope, 'AccessLogRole', {
    assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
  });
  const grant = bucket.grantWrite(role);
  for (const rule of ['Action::s3:Abort*', 'Action::s3:DeleteObject*']) {
    acknowledge(
      role,
      `AwsSolutions::AwsSolutions-IAM5[${rule}]`,
      "The CDK's own grant to write into a bucket.",
    );
  }
  const stream = new CfnDeliveryStream(scope, 'AccessLogStream', {
    deliveryStreamName: `amazon-apigateway-neuron-${stage.name}`,
    deliveryStreamType: 'DirectPut',
    deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
    extendedS3DestinationConfiguration: {
      bucketArn: bucket.bucketArn,
      roleArn: role.roleArn,
      prefix: `neuron-${stage.name}/access/`,
      errorOutputPrefix: `neuron-${stage.name}/access-failed/`,
      compressionFormat: 'GZIP',
      bufferingHints: { intervalInSeconds: 300, sizeInMBs: 5 },
    },
  });
  grant.applyBefore(stream);
  return stream;
}
