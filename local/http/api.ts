// Reads the REST API of a template: resources, methods, stage, authorizers and gateway responses.

import { readAuthorizer, type TemplateAuthorizer } from '../authorizer/index.ts';
import { localFailure } from '../failure.ts';
import { createGatewayResponses, type RenderGatewayError } from '../gateway-responses/index.ts';
import { type MockIntegration, readMockIntegration } from '../integration/mock.ts';
import type { ProxyIntegration } from '../integration/proxy.ts';
import type { ApiIdentity, ApiResource } from '../integration/request-context.ts';
import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import {
  asList,
  asNumber,
  asObject,
  asText,
  asTexts,
  requiredProperty,
  templateError,
} from '../template/values.ts';
import type { ThrottleSettings } from './throttle.ts';

type Integration =
  | { readonly kind: 'proxy'; readonly proxy: ProxyIntegration }
  | { readonly kind: 'mock'; readonly mock: MockIntegration };

export interface ApiMethod {
  readonly resource: ApiResource;
  /** `ANY` among others. */
  readonly httpMethod: string;
  readonly authorizer: TemplateAuthorizer | undefined;
  readonly integration: Integration;
  readonly throttle: ThrottleSettings;
}

export interface RestApi extends ApiIdentity {
  /** `arn:aws:execute-api:REGION:ACCOUNT:API/STAGE`, the beginning of method ARNs. */
  readonly arn: string;
  readonly binaryMediaTypes: ReadonlySet<string>;
  readonly methods: readonly ApiMethod[];
  readonly renderError: RenderGatewayError;
}

// API Gateway Developer Guide, quotas: 29 seconds by default.
const DEFAULT_TIMEOUT_MS = 29_000;
const FUNCTION_URI =
  /:lambda:path\/(?:(2015-03-31)\/functions\/([^/]+)\/invocations|(2021-11-15)\/functions\/([^/]+)\/response-streaming-invocations)$/;

/**
 * Reads the one REST API of the stacks.
 * @param stage name of the stage to run. @default the first of the template
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` that says what is not supported
 */
export function readRestApi(stacks: readonly ResolvedStack[], stage?: string): RestApi {
  const resources = stacks.flatMap((stack) => stack.resources);
  const apis = ofType(resources, 'RestApi');
  const [api] = apis;
  if (api === undefined || apis.length > 1) {
    const text = `The template has ${apis.length} REST APIs; exactly one can be run.`;
    throw localFailure('TEMPLATE_NOT_SUPPORTED', text);
  }
  const own = resources.filter(
    (resource) =>
      resource.type.startsWith('AWS::ApiGateway::') &&
      asText(resource.properties['RestApiId']) === api.physicalId,
  );
  if (api.properties['Body'] !== undefined)
    throw templateError(api, 'an API from an OpenAPI body is not supported.');
  const deployed = chooseStage(api, own, stage);
  const { accountId, region } = findPlace(resources);
  const stageName = requiredProperty(deployed, 'StageName');
  const variables = asTexts(deployed.properties['Variables']);
  const settings = asList(deployed.properties['MethodSettings']).map(asObject);
  const paths = readPaths(api, own);
  const authorizers = new Map(
    ofType(own, 'Authorizer').map((resource) => [resource.physicalId, readAuthorizer(resource)] as const),
  );
  return {
    accountId,
    apiId: api.physicalId,
    arn: `arn:aws:execute-api:${region}:${accountId}:${api.physicalId}/${stageName}`,
    deploymentId: asText(deployed.properties['DeploymentId']) ?? '',
    stage: stageName,
    stageVariables: Object.keys(variables).length === 0 ? null : variables,
    binaryMediaTypes: new Set(asList(api.properties['BinaryMediaTypes']).map(String)),
    methods: ofType(own, 'Method').map((method) => readMethod(method, paths, authorizers, settings)),
    renderError: createGatewayResponses(ofType(own, 'GatewayResponse')),
  };
}

function ofType(resources: readonly ResolvedResource[], type: string): readonly ResolvedResource[] {
  return resources.filter((resource) => resource.type === `AWS::ApiGateway::${type}`);
}

function chooseStage(
  api: ResolvedResource,
  own: readonly ResolvedResource[],
  name: string | undefined,
): ResolvedResource {
  const stages = ofType(own, 'Stage');
  const found =
    name === undefined ? stages[0] : stages.find((stage) => asText(stage.properties['StageName']) === name);
  if (found !== undefined) return found;
  const names = stages.map((stage) => asText(stage.properties['StageName'])).join(', ') || 'none';
  throw templateError(api, `it has no stage ${name ?? ''} (there are: ${names}).`);
}

// The ARN of any function names the account and region of all stacks.
function findPlace(resources: readonly ResolvedResource[]): { accountId: string; region: string } {
  for (const { arn } of resources) {
    const parts = arn?.split(':') ?? [];
    if (parts[2] === 'lambda' && parts[3] && parts[4]) return { region: parts[3], accountId: parts[4] };
  }
  return { region: 'us-east-1', accountId: '000000000000' };
}

// Resources name their parents; the root is no resource of the template.
function readPaths(api: ResolvedResource, own: readonly ResolvedResource[]): (resourceId: string) => string {
  const nodes = new Map(
    ofType(own, 'Resource').map((resource) => [
      resource.physicalId,
      { parent: requiredProperty(resource, 'ParentId'), part: requiredProperty(resource, 'PathPart') },
    ]),
  );
  const pathOf = (id: string, depth: number): string => {
    const node = nodes.get(id);
    if (node === undefined) return '';
    if (depth > nodes.size) throw templateError(api, 'its resources are their own parents.');
    return `${pathOf(node.parent, depth + 1)}/${node.part}`;
  };
  return (resourceId) => pathOf(resourceId, 0) || '/';
}

function readMethod(
  method: ResolvedResource,
  paths: (resourceId: string) => string,
  authorizers: ReadonlyMap<string, TemplateAuthorizer>,
  settings: readonly Readonly<Record<string, unknown>>[],
): ApiMethod {
  const { properties } = method;
  const resourceId = requiredProperty(method, 'ResourceId');
  const resourcePath = paths(resourceId);
  const httpMethod = requiredProperty(method, 'HttpMethod');
  if (asText(properties['ApiKeyRequired']) === 'true')
    throw templateError(method, 'API keys are not supported.');
  return {
    resource: { resourceId, resourcePath },
    httpMethod,
    authorizer: readMethodAuthorizer(method, authorizers),
    integration: readIntegration(method),
    throttle: readThrottle(settings, resourcePath, httpMethod),
  };
}

function readMethodAuthorizer(
  method: ResolvedResource,
  authorizers: ReadonlyMap<string, TemplateAuthorizer>,
): TemplateAuthorizer | undefined {
  const type = asText(method.properties['AuthorizationType']) ?? 'NONE';
  if (type === 'NONE') return undefined;
  if (type !== 'CUSTOM') throw templateError(method, `AuthorizationType ${type} is not supported.`);
  const authorizer = authorizers.get(requiredProperty(method, 'AuthorizerId'));
  if (authorizer === undefined)
    throw templateError(method, 'its AuthorizerId names no authorizer of this API.');
  return authorizer;
}

function readIntegration(method: ResolvedResource): Integration {
  const integration = asObject(method.properties['Integration']);
  const type = asText(integration['Type']);
  if (type === 'MOCK') return { kind: 'mock', mock: readMockIntegration(method) };
  if (type !== 'AWS_PROXY') throw templateError(method, `an integration of type ${type} is not supported.`);
  if (asText(integration['IntegrationHttpMethod']) !== 'POST') {
    throw templateError(method, 'IntegrationHttpMethod must be POST: Lambda is called with POST only.');
  }
  const uri = FUNCTION_URI.exec(asText(integration['Uri']) ?? '');
  const functionArn = uri?.[2] ?? uri?.[4];
  if (functionArn === undefined)
    throw templateError(method, `its Uri ${asText(integration['Uri'])} names no function.`);
  const streaming = asText(integration['ResponseTransferMode']) === 'STREAM';
  if (streaming !== (uri?.[3] !== undefined)) {
    throw templateError(
      method,
      'ResponseTransferMode STREAM goes with response-streaming-invocations, and only it does.',
    );
  }
  const timeoutMs = asNumber(integration['TimeoutInMillis']) ?? DEFAULT_TIMEOUT_MS;
  return { kind: 'proxy', proxy: { functionArn, streaming, timeoutMs } };
}

// A setting for this method wins over the one for all methods, which applies to each of them separately.
function readThrottle(
  settings: readonly Readonly<Record<string, unknown>>[],
  resourcePath: string,
  httpMethod: string,
): ThrottleSettings {
  const encoded = `/${resourcePath.slice(1).replaceAll('/', '~1')}`;
  const paths = new Set([resourcePath, encoded, `/~1${encoded.slice(1)}`]);
  const own = settings.find(
    (entry) => asText(entry['HttpMethod']) === httpMethod && paths.has(asText(entry['ResourcePath']) ?? ''),
  );
  const all = settings.find(
    (entry) => asText(entry['HttpMethod']) === '*' && asText(entry['ResourcePath']) === '/*',
  );
  return {
    rateLimit: readLimit('ThrottlingRateLimit', own, all),
    burstLimit: readLimit('ThrottlingBurstLimit', own, all),
  };
}

// -1 removes a limit.
function readLimit(
  name: string,
  ...entries: readonly (Readonly<Record<string, unknown>> | undefined)[]
): number | undefined {
  for (const entry of entries) {
    const limit = asNumber(entry?.[name]);
    if (limit !== undefined) return limit < 0 ? undefined : limit;
  }
  return undefined;
}
