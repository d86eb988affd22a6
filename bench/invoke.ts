// Calls the two bundled functions as API Gateway does: the authorizer, then the execution function if the authorizer allows the call.
import { Writable } from 'node:stream';

type Handler = (event: unknown, ...rest: unknown[]) => Promise<unknown>;

/** Files of the two bundles. */
export interface Files {
  readonly authorizer: string;
  readonly execution: string;
}

/** A caller's request. */
export interface Call {
  readonly organization: string;
  readonly neuron: string;
  readonly body: string;
  readonly sourceIp?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes one call; its number becomes part of its ids. Returns the status and, where the answer has it, the cache header. */
export type Invoke = (call: Call, number: number) => Promise<string>;

/** A response stream that keeps only the outcome. */
class Sink extends Writable {
  outcome = '';
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

interface Metadata {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Policy {
  readonly policyDocument: { readonly Statement: readonly { readonly Effect: string }[] };
  readonly context: unknown;
}

const UNAUTHORIZED = 'Unauthorized';
const CONTEXT = { getRemainingTimeInMillis: () => 60_000 };

/** Loads both bundles, which read their environment then. */
export async function loadFunctions(files: Files): Promise<Invoke> {
  const awslambda = {
    streamifyResponse: (handler: Handler) => handler,
    HttpResponseStream: {
      from(stream: Sink, { statusCode, headers }: Metadata) {
        const cache = headers?.['X-Cache'];
        stream.outcome = `${statusCode}${cache === undefined ? '' : ` ${cache}`}`;
        return stream;
      },
    },
  };
  Object.assign(globalThis, { awslambda });
  const { handler: authorize } = (await import(files.authorizer)) as { handler: Handler };
  const { handler: execute } = (await import(files.execution)) as { handler: Handler };
  return async (call, number) => {
    const shape = toEventShape(call);
    const methodArn = `arn:aws:execute-api:us-east-1:000000000000:api/prod/POST/${call.organization}/${call.neuron}`;
    const event = { ...shape, methodArn, requestContext: requestContext(call, number) };
    const policy = await authorize(event).catch(rejectedAs401);
    if (policy === '401') return policy;
    const { policyDocument, context } = policy as Policy;
    if (policyDocument.Statement[0]?.Effect !== 'Allow') return '403';
    const sink = new Sink();
    const invocation = {
      ...shape,
      body: call.body,
      isBase64Encoded: false,
      requestContext: requestContext(call, number, context),
    };
    await execute(invocation, sink, CONTEXT);
    return sink.outcome;
  };
}

function toEventShape({ organization, neuron, headers = {} }: Call) {
  const sent = Object.entries(headers).map(([name, value]) => [name, [value]]);
  return {
    pathParameters: { organization, neuron },
    multiValueHeaders: {
      'content-type': ['application/json'],
      host: ['example.com'],
      'user-agent': ['bench'],
      ...Object.fromEntries(sent),
    },
    multiValueQueryStringParameters: null,
  };
}

function requestContext({ sourceIp = '203.0.113.7' }: Call, number: number, authorizer?: unknown) {
  return {
    extendedRequestId: `bench-${process.pid}-${number}`,
    requestId: `bench-${number}`,
    requestTimeEpoch: Date.now(),
    identity: { sourceIp },
    authorizer,
  };
}

/** API Gateway answers 401 to this one message; everything else is a fault, and ends the measurement. */
function rejectedAs401(error: unknown): '401' {
  if (error instanceof Error && error.message === UNAUTHORIZED) return '401';
  throw error;
}
