// The supported and the ignored properties of API Gateway's types. All others are an error at start.

import type { PropertyLists } from '../functions/supported-properties.ts';

const NO_IAM = 'no permission is checked on one machine';
const LABEL = 'a label';
const NO_CLOUDWATCH = 'there is no CloudWatch';
const NO_CACHE = 'the response cache is off unless CachingEnabled is true, which is refused';

/** By resource type; dotted names are members of a property. */
export const API_PROPERTIES: Readonly<Record<string, PropertyLists>> = {
  'AWS::ApiGateway::RestApi': {
    supported: ['BinaryMediaTypes', 'Name'],
    ignored: {
      ApiKeySourceType: 'methods that need an API key are refused',
      Description: LABEL,
      DisableExecuteApiEndpoint: 'the local address is the only one',
      EndpointAccessMode: 'there is no TLS on 127.0.0.1',
      EndpointConfiguration: 'the only endpoint is 127.0.0.1',
      FailOnWarnings: 'for OpenAPI bodies, which are refused',
      Policy: NO_IAM,
      SecurityPolicy: 'there is no TLS on 127.0.0.1',
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
      RequestModels: 'read by request validators only, which are refused',
      RequestParameters: 'read by request validators only, which are refused',
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
};
