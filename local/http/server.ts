// The steps of a request through the API: quotas, method, stage throttle, body, authorizer, integration.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { invokeAuthorizer } from '../authorizer/index.ts';
import type { Functions } from '../functions/index.ts';
import type { GatewayError } from '../gateway-responses/index.ts';
import { buildProxyEvent, isBinary } from '../integration/event.ts';
import { type ProxyIntegration, runBuffered, runStreaming } from '../integration/proxy.ts';
import {
  buildRequestContext,
  type RequestContext,
  toContextVariables,
} from '../integration/request-context.ts';
import { createSink, proxyHeaders, requestHeaders, sendAnswer, sendHttpError } from './answers.ts';
import type { ApiMethod, RestApi } from './api.ts';
import { type ApiRequest, type RequestSettings, readRequest } from './api-request.ts';
import { BODY_TOO_LARGE, checkHead, checkMethodArn, readBody } from './limits.ts';
import { createMatcher, type PathParameters } from './match.ts';
import { createThrottle } from './throttle.ts';

interface ServerSettings extends RequestSettings {
  readonly api: RestApi;
  readonly functions: Functions;
  readonly log: (line: string) => void;
}

interface Route extends ApiMethod {
  readonly takeToken: () => boolean;
}

interface Exchange {
  readonly request: ApiRequest;
  readonly context: RequestContext;
  readonly pathParameters: PathParameters;
  readonly outgoing: ServerResponse;
}

/** Answers requests; never throws and never rejects. */
export function createRequestListener(
  settings: ServerSettings,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const { api } = settings;
  const match = createMatcher(
    api.methods.map((method) => ({
      path: method.resource.resourcePath,
      httpMethod: method.httpMethod,
      method: { ...method, takeToken: createThrottle(method.throttle, () => performance.now()) },
    })),
  );
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const error = checkHead(incoming);
    if (error !== undefined) {
      sendHttpError(outgoing, error);
      return;
    }
    const request = readRequest(incoming, settings);
    const found = match(request.httpMethod, request.path);
    const context = buildRequestContext(api, request, found?.method.resource);
    const exchange = { request, context, pathParameters: found?.pathParameters ?? null, outgoing };
    if (found === undefined) sendError(api, exchange, { type: 'MISSING_AUTHENTICATION_TOKEN' });
    else if (!found.method.takeToken()) sendError(api, exchange, { type: 'THROTTLED' });
    else await answerMethod(settings, found.method, exchange, incoming);
  };
  return (incoming, outgoing) => {
    // Callers may go away.
    outgoing.on('error', () => undefined);
    answer(incoming, outgoing).catch((error: unknown) => {
      settings.log(
        `internal error of the local run: ${String(error instanceof Error ? error.stack : error)}`,
      );
      if (outgoing.headersSent) outgoing.destroy();
      else sendHttpError(outgoing, { status: 500, message: 'Internal server error' });
    });
  };
}

async function answerMethod(
  settings: ServerSettings,
  method: Route,
  exchange: Exchange,
  incoming: IncomingMessage,
): Promise<void> {
  const { api } = settings;
  const body = await readBody(incoming);
  if (body === 'aborted') return;
  if (body === 'too large') {
    incoming.resume();
    sendError(api, exchange, BODY_TOO_LARGE);
    return;
  }
  if (!(await authorize(settings, method, exchange))) return;
  const { integration } = method;
  if (integration.kind === 'proxy')
    await answerProxy(settings, method, integration.proxy, exchange, body.pieces);
  else {
    const { request, context, pathParameters, outgoing } = exchange;
    const { contentType, accept } = request;
    const variables = toContextVariables(api, request, context, pathParameters);
    const answer = integration.mock(
      { contentType, accept, body: Buffer.concat(body.pieces).toString() },
      variables,
    );
    if ('type' in answer) sendError(api, exchange, answer);
    else sendAnswer(outgoing, requestHeaders(request), answer);
  }
}

async function authorize(settings: ServerSettings, method: Route, exchange: Exchange): Promise<boolean> {
  const { api, functions } = settings;
  if (method.authorizer === undefined) return true;
  const { request, context, pathParameters, outgoing } = exchange;
  const methodArn = `${api.arn}/${request.httpMethod}${request.path}`;
  const tooLong = checkMethodArn(methodArn);
  if (tooLong !== undefined) {
    sendHttpError(outgoing, tooLong);
    return false;
  }
  const authorization = { api, request, resource: method.resource, pathParameters, context, methodArn };
  const { error, authorizer } = await invokeAuthorizer(functions, method.authorizer, authorization);
  if (authorizer !== undefined) context.authorizer = authorizer;
  if (error !== undefined) sendError(api, exchange, error);
  return error === undefined;
}

async function answerProxy(
  settings: ServerSettings,
  method: Route,
  proxy: ProxyIntegration,
  exchange: Exchange,
  body: readonly Buffer[],
): Promise<void> {
  const { api, functions } = settings;
  const { request, context, pathParameters, outgoing } = exchange;
  const binary = isBinary(api.binaryMediaTypes, request.contentType);
  const event = buildProxyEvent(api, request, method.resource, pathParameters, context, body, binary);
  if (proxy.streaming) {
    const error = await runStreaming(functions, proxy, event, createSink(outgoing, request));
    if (error !== undefined) sendError(api, exchange, error);
    return;
  }
  const acceptsBinary = isBinary(api.binaryMediaTypes, request.accept);
  const answer = await runBuffered(functions, proxy, event, acceptsBinary);
  if ('type' in answer) sendError(api, exchange, answer);
  else sendAnswer(outgoing, proxyHeaders(request), answer);
}

function sendError(api: RestApi, exchange: Exchange, error: GatewayError): void {
  const { request, context, pathParameters, outgoing } = exchange;
  const variables = toContextVariables(api, request, context, pathParameters);
  sendAnswer(outgoing, requestHeaders(request), api.renderError(error, variables, request.accept));
}
