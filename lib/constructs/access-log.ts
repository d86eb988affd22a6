// The access log of the API: one JSON line per request, without query string and headers, which may hold keys.
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

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
