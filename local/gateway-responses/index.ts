// The errors that API Gateway answers by itself, customised by AWS::ApiGateway::GatewayResponse.

import type { ResolvedResource } from '../template/types.ts';
import { asText, asTexts, templateError } from '../template/values.ts';
import { parseExpression, type Substitution, type Variables } from './substitution.ts';
import {
  chooseTemplate,
  type HeaderList,
  parseTemplates,
  type Templates,
  withContentType,
} from './templates.ts';

type GatewayResponseType = keyof typeof GATEWAY_RESPONSE_DEFAULTS;

/**
 * Default status, `x-amzn-ErrorType` header and default message of each type. Statuses: API Gateway Developer Guide, "Gateway response
 * types"; messages and headers as recorded. The two DEFAULT types have a status per error; the ones here are for errors without.
 */
const GATEWAY_RESPONSE_DEFAULTS = {
  ACCESS_DENIED: [403, 'AccessDeniedException', 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'ApiConfigurationException', 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'AuthorizerConfigurationException', null],
  AUTHORIZER_FAILURE: [500, 'AuthorizerFailureException', null],
  BAD_REQUEST_BODY: [400, 'BadRequestException', 'Invalid request body'],
  BAD_REQUEST_PARAMETERS: [400, 'BadRequestException', 'Missing required request parameters'],
  DEFAULT_4XX: [400, 'BadRequestException', 'Bad Request'],
  DEFAULT_5XX: [500, 'InternalServerErrorException', 'Internal server error'],
  EXPIRED_TOKEN: [403, 'ExpiredTokenException', 'The security token included in the request is expired'],
  INTEGRATION_FAILURE: [504, 'InternalServerErrorException', 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'InternalServerErrorException', 'Endpoint request timed out'],
  INVALID_API_KEY: [403, 'ForbiddenException', 'Forbidden'],
  INVALID_SIGNATURE: [403, 'InvalidSignatureException', 'Invalid signature'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'],
  QUOTA_EXCEEDED: [429, 'LimitExceededException', 'Limit Exceeded'],
  REQUEST_TOO_LARGE: [413, 'RequestTooLargeException', 'Request Too Long'],
  RESOURCE_NOT_FOUND: [404, 'ResourceNotFoundException', 'Resource not found'],
  THROTTLED: [429, 'TooManyRequestsException', 'Too Many Requests'],
  UNAUTHORIZED: [401, 'UnauthorizedException', 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'BadRequestException', 'Unsupported Media Type'],
  WAF_FILTERED: [403, 'ForbiddenException', 'Forbidden'],
} as const satisfies Record<string, readonly [status: number, errorType: string, message: string | null]>;

/** An error that API Gateway answers by itself. */
export interface GatewayError {
  readonly type: GatewayResponseType;
  /** In place of the type's default status. */
  readonly status?: number;
  /** In place of the type's default message. */
  readonly message?: string;
}

interface GatewayAnswer {
  readonly status: number;
  /** Name and value, without the headers of every answer. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Turns an error into the answer; `accept` is the caller's Accept header. */
export type RenderGatewayError = (
  error: GatewayError,
  variables: Variables,
  accept: string | undefined,
) => GatewayAnswer;

interface Customisation {
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, Substitution])[];
  readonly templates: Templates;
}

const HEADER_PREFIX = 'gatewayresponse.header.';

/**
 * Reads the template's gateway responses.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` for an unknown type or mapping
 */
export function createGatewayResponses(resources: readonly ResolvedResource[]): RenderGatewayError {
  const customised = new Map<GatewayResponseType, Customisation>();
  for (const resource of resources) customised.set(readType(resource), readCustomisation(resource));
  return (error, variables, accept) => {
    const [defaultStatus, errorType, defaultMessage] = GATEWAY_RESPONSE_DEFAULTS[error.type];
    const status = error.status ?? defaultStatus;
    const fallback = customised.get(status >= 500 ? 'DEFAULT_5XX' : 'DEFAULT_4XX');
    // AWS: "Customizing the default gateway response for 413 REQUEST_TOO_LARGE isn't currently supported."
    const own = error.type === 'REQUEST_TOO_LARGE' ? undefined : (customised.get(error.type) ?? fallback);
    const message = error.message ?? defaultMessage;
    const headers: HeaderList = [['x-amzn-ErrorType', errorType]];
    const withError = addError(variables, error.type, message);
    for (const [name, substitution] of own?.headers ?? []) {
      const value = substitution(withError);
      if (value !== undefined) headers.push([name, value]);
    }
    const [type, template] = chooseTemplate(own?.templates, accept);
    return {
      // The type's own status wins over that of the fallback, and that over the default.
      status: own === undefined ? status : (own.status ?? fallback?.status ?? status),
      headers: withContentType(headers, type),
      body: template === undefined ? defaultBody(error.type, message) : template(withError),
    };
  };
}

function readType(resource: ResolvedResource): GatewayResponseType {
  const type = asText(resource.properties['ResponseType']) ?? '';
  if (!Object.hasOwn(GATEWAY_RESPONSE_DEFAULTS, type))
    throw templateError(resource, `ResponseType ${type} is unknown.`);
  return type as GatewayResponseType;
}

function readCustomisation(resource: ResolvedResource): Customisation {
  const headers = Object.entries(asTexts(resource.properties['ResponseParameters'])).map(
    ([key, expression]) => {
      const substitution = parseExpression(expression);
      if (!key.startsWith(HEADER_PREFIX) || substitution === undefined) {
        throw templateError(resource, `the mapping ${key}: ${expression} is not supported.`);
      }
      return [key.slice(HEADER_PREFIX.length), substitution] as const;
    },
  );
  const templates = parseTemplates(asTexts(resource.properties['ResponseTemplates']));
  const status = asText(resource.properties['StatusCode']);
  return { status: status === undefined ? undefined : Number(status), headers, templates };
}

// `{"message":$context.error.messageString}`; ACCESS_DENIED is known to have a capital letter.
function defaultBody(type: GatewayResponseType, message: string | null): string {
  return JSON.stringify(type === 'ACCESS_DENIED' ? { Message: message } : { message });
}

function addError(variables: Variables, type: GatewayResponseType, message: string | null): Variables {
  const error: Readonly<Record<string, string>> = {
    message: message ?? '',
    messageString: JSON.stringify(message),
    responseType: type,
    validationErrorString: '',
  };
  return {
    ...variables,
    context: (path) =>
      path[0] === 'error' && path.length === 2 ? error[path[1] ?? ''] : variables.context(path),
  };
}
