// In a function's process: calls the handler once and reports its result.

import type { FunctionError, InvokeMessage } from './frames.ts';
import { type Handler, HIGH_WATER_MARK, runtimeError, STREAMING_MARK } from './load-handler.ts';
import { createResponseStream, type SendBytes } from './response-stream.ts';

export interface Reports {
  readonly result: (json: string) => void;
  readonly failure: (error: FunctionError) => void;
  readonly chunk: SendBytes;
  readonly end: () => void;
}

/**
 * Calls the handler and resolves when it has settled. As in the open-source runtime interface client, this includes work that a
 * streaming handler does after its stream has ended.
 */
export async function runInvocation(
  handler: Handler,
  message: InvokeMessage,
  eventJson: string,
  reports: Reports,
): Promise<void> {
  const context = buildContext(message);
  if (STREAMING_MARK in handler) {
    await runStreaming(handler, JSON.parse(eventJson), context, reports);
    return;
  }
  try {
    const result = await handler(JSON.parse(eventJson), context);
    reports.result(toJson(result));
  } catch (error) {
    reports.failure(toFunctionError(error));
  }
}

async function runStreaming(
  handler: Handler,
  event: unknown,
  context: object,
  reports: Reports,
): Promise<void> {
  const marks = handler as unknown as Record<symbol, unknown>;
  const highWaterMark = marks[HIGH_WATER_MARK];
  const finished = Promise.withResolvers<void>();
  const stream = createResponseStream(
    reports.chunk,
    () => {
      reports.end();
      finished.resolve();
    },
    typeof highWaterMark === 'number' ? highWaterMark : undefined,
  );
  stream.on('error', finished.reject);
  // Not awaited if the handler itself fails.
  finished.promise.catch(() => undefined);
  try {
    const returned = handler(event, stream, context);
    if (typeof (returned as PromiseLike<unknown> | undefined)?.then !== 'function') {
      throw new Error('Streaming does not support non-async handlers.');
    }
    await returned;
    await finished.promise;
  } catch (error) {
    reports.failure(toFunctionError(error));
  }
}

function buildContext(message: InvokeMessage): object {
  const { env } = process;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
    functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
    memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
    clientContext: undefined,
    identity: undefined,
    invokedFunctionArn: message.functionArn,
    awsRequestId: message.requestId,
    getRemainingTimeInMillis: () => message.deadline - Date.now(),
  };
}

function toJson(result: unknown): string {
  try {
    return JSON.stringify(result) ?? 'null';
  } catch {
    throw new Error('Unable to stringify response body');
  }
}

/** Lambda's form of a thrown value. */
export function toFunctionError(error: unknown): FunctionError {
  if (error instanceof Error) {
    return { errorType: error.name, errorMessage: error.message, trace: String(error.stack).split('\n') };
  }
  return { errorType: typeof error, errorMessage: String(error), trace: [] };
}

/** The failure of a handler whose promise can never settle. */
export function neverSettled(): FunctionError {
  return toFunctionError(
    runtimeError(
      'NodeJsExit',
      'The Lambda runtime client detected an unexpected Node.js exit code. This is most commonly caused by a Promise that was never settled.',
    ),
  );
}
