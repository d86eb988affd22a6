// Mock integrations: answers in the template itself.

import type { GatewayError } from '../gateway-responses/index.ts';
import { parseExpression, type Substitution, type Variables } from '../gateway-responses/substitution.ts';
import {
  chooseTemplate,
  type HeaderList,
  mediaTypeOf,
  parseTemplates,
  type Templates,
  withContentType,
} from '../gateway-responses/templates.ts';
import { parseObject } from '../json.ts';
import type { ResolvedResource } from '../template/types.ts';
import { asList, asObject, asText, asTexts, templateError } from '../template/values.ts';
import { remapHeader } from './response-headers.ts';

interface MockAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
}

export type MockIntegration = (request: MockRequest, variables: Variables) => MockAnswer | GatewayError;

interface MockRequest {
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly body: string;
}

interface MockResponse {
  readonly status: number;
  /** Matches the whole status; undefined: the default response. */
  readonly pattern: RegExp | undefined;
  readonly headers: readonly (readonly [string, Substitution])[];
  readonly templates: Templates;
}

const HEADER_PREFIX = 'method.response.header.';
// Directives, `$input` and `$util` need the Velocity engine.
const VELOCITY =
  /#(?:set|if|else|elseif|end|foreach|macro|parse|include|stop|evaluate|define|\{|\[\[|\*|#)|\$!?\{?(?:input|util)\b/;

/**
 * Reads a method with a MOCK integration (API Gateway Developer Guide, "Set up mock integrations").
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` for Velocity templates, and like CloudFormation for a response or a header that the
 *   method does not declare
 */
export function readMockIntegration(method: ResolvedResource): MockIntegration {
  const integration = asObject(method.properties['Integration']);
  const statuses = new Map<string, number | undefined>();
  for (const [contentType, template] of Object.entries(asTexts(integration['RequestTemplates']))) {
    rejectVelocity(method, template);
    statuses.set(contentType, statusInTemplate(template));
  }
  const passthrough = asText(integration['PassthroughBehavior']) ?? 'WHEN_NO_MATCH';
  const responses = asList(integration['IntegrationResponses']).map((entry) =>
    readResponse(method, asObject(entry)),
  );
  return (request, variables) => {
    const type = mediaTypeOf(request.contentType) || 'application/json';
    let status: number | undefined;
    if (statuses.has(type)) status = statuses.get(type);
    else if (passthrough === 'NEVER' || (passthrough === 'WHEN_NO_TEMPLATES' && statuses.size > 0)) {
      return { type: 'UNSUPPORTED_MEDIA_TYPE' };
    } else if (statuses.size > 0) status = statusInJson(request.body);
    else
      return answer(
        responses.find((response) => response.pattern === undefined),
        request,
        variables,
      );
    if (status === undefined) return { type: 'DEFAULT_5XX' };
    return answer(chooseResponse(responses, String(status)), request, variables);
  };
}

function answer(
  response: MockResponse | undefined,
  request: MockRequest,
  variables: Variables,
): MockAnswer | GatewayError {
  if (response === undefined) return { type: 'API_CONFIGURATION_ERROR' };
  const headers: HeaderList = [];
  for (const [name, substitution] of response.headers) {
    const value = substitution(variables);
    const sent = remapHeader(name);
    if (value !== undefined && sent !== undefined) headers.push([sent, value]);
  }
  const [type, template] = chooseTemplate(response.templates, request.accept);
  return {
    status: response.status,
    headers: withContentType(headers, type),
    body: template?.(variables) ?? '',
  };
}

function chooseResponse(responses: readonly MockResponse[], status: string): MockResponse | undefined {
  return (
    responses.find(({ pattern }) => pattern?.test(status) === true) ??
    responses.find(({ pattern }) => pattern === undefined)
  );
}

function readResponse(method: ResolvedResource, entry: Readonly<Record<string, unknown>>): MockResponse {
  const status = asText(entry['StatusCode']) ?? '';
  const declared = asList(method.properties['MethodResponses'])
    .map(asObject)
    .find((response) => asText(response['StatusCode']) === status);
  if (declared === undefined)
    throw templateError(method, `its integration answers ${status}, its MethodResponses do not.`);
  const headers = Object.entries(asTexts(entry['ResponseParameters'])).map(([key, expression]) => {
    const substitution = parseExpression(expression);
    if (!key.startsWith(HEADER_PREFIX) || substitution === undefined) {
      throw templateError(method, `the mapping ${key}: ${expression} is not supported.`);
    }
    if (!Object.hasOwn(asObject(declared['ResponseParameters']), key)) {
      throw templateError(method, `${key} is mapped, but not declared for ${status} in MethodResponses.`);
    }
    return [key.slice(HEADER_PREFIX.length), substitution] as const;
  });
  const templates = asTexts(entry['ResponseTemplates']);
  for (const template of Object.values(templates)) rejectVelocity(method, template);
  const pattern = asText(entry['SelectionPattern']);
  return {
    status: Number(status),
    pattern: pattern === undefined || pattern === '' ? undefined : new RegExp(`^(?:${pattern})$`),
    headers,
    templates: parseTemplates(templates),
  };
}

function rejectVelocity(method: ResolvedResource, template: string): void {
  if (VELOCITY.test(template))
    throw templateError(method, 'mapping templates in Velocity are not supported.');
}

// API Gateway also takes `{ statusCode: 204 }`, which the CDK writes for preflight.
function statusInTemplate(template: string): number | undefined {
  const bare = /^\s*\{\s*'?statusCode'?\s*:\s*(\d{3})\s*\}\s*$/.exec(template);
  return bare === null ? statusInJson(template) : Number(bare[1]);
}

function statusInJson(json: string): number | undefined {
  const status = parseObject(json)?.['statusCode'];
  return Number.isInteger(status) ? Number(status) : undefined;
}
