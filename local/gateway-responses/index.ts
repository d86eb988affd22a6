// Makes the answers that API Gateway gives by itself, customised by the template's AWS::ApiGateway::GatewayResponse.

import type { ResolvedResource } from '../template/types.ts';
import { asText, asTexts, templateError } from '../template/values.ts';
import { parseExpression, parseTemplate, type Substitution, type Variables } from './substitution.ts';
import { GATEWAY_RESPONSE_DEFAULTS, type GatewayError, type GatewayResponseType } from './types.ts';

export type { GatewayError, GatewayResponseType } from './types.ts';

/** A complete answer. */
export interface GatewayAnswer {
  readonly status: number;
  /** Name and value; without the headers that every answer has. */
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
  readonly templates: ReadonlyMap<string, (variables: Variables) => string>;
}

const HEADER_PREFIX = 'gatewayresponse.header.';

/**
 * Reads the template's gateway responses.
 * @throws an error with code `TEMPLATE_NOT_SUPPORTED` for an unknown type or mapping
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
    const headers: [string, string][] = [['x-amzn-ErrorType', errorType]];
    const withError = addError(variables, error.type, message);
    for (const [name, substitution] of own?.headers ?? []) {
      const value = substitution(withError);
      if (value !== undefined) headers.push([name, value]);
    }
    const [contentType, template] = chooseTemplate(own, accept);
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type'))
      headers.push(['Content-Type', contentType]);
    return {
      // A type's own status wins over that of the fallback, which wins over the default one.
      status: own === undefined ? status : (own.status ?? fallback?.status ?? status),
      headers,
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
  const templates = new Map<string, (variables: Variables) => string>();
  for (const [contentType, template] of Object.entries(asTexts(resource.properties['ResponseTemplates']))) {
    templates.set(contentType, parseTemplate(template));
  }
  const status = asText(resource.properties['StatusCode']);
  return { status: status === undefined ? undefined : Number(status), headers, templates };
}

// As for mapped responses: the template of the Accept header, else the JSON one, else the first.
function chooseTemplate(
  own: Customisation | undefined,
  accept: string | undefined,
): readonly [string, ((variables: Variables) => string) | undefined] {
  if (own === undefined || own.templates.size === 0) return ['application/json', undefined];
  const accepted = accept?.split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? '';
  for (const contentType of [accepted, 'application/json']) {
    const template = own.templates.get(contentType);
    if (template !== undefined) return [contentType, template];
  }
  return own.templates.entries().next().value ?? ['application/json', undefined];
}

// `{"message":$context.error.messageString}`; only ACCESS_DENIED is known to have a capital letter.
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
