// The end of the list: runs the flow or takes the cached answer, and renders it whole or as a stream.
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { keep } from '../bind.ts';
import type { ClaimPorts } from '../claims.ts';
import type { LookedUpRun } from '../run.ts';
import { execute, rejectTooLarge, renderRun } from './execute.ts';
import type { StreamPorts } from './start-stream.ts';
import { type Finish, streamRun } from './stream-run.ts';

/** `finish` is what comes after the answer. Throws the error of a run that failed. */
export function respond(finish: Finish) {
  return async (
    run: LookedUpRun,
    event: APIGatewayProxyEvent,
    ports: StreamPorts & ClaimPorts,
  ): Promise<APIGatewayProxyResult> => {
    const result = run.invocation.stream
      ? await streamRun(run, event, finish, ports)
      : await answerWhole(run, event, ports);
    // Refused while the log can still say so, where Lambda would not carry it.
    if (ports.transferMode === 'BUFFERED') rejectTooLarge(result);
    return result;
  };
}

async function answerWhole(
  run: LookedUpRun,
  event: APIGatewayProxyEvent,
  ports: StreamPorts,
): Promise<APIGatewayProxyResult> {
  const executed = await execute(run, ports);
  keep(event, executed);
  return renderRun(executed);
}
