// Encodes a run as server-sent events in the service's own form: deltas, calls of tools, and one result or one error, last.
import { toEventData } from '../event-stream.ts';
import type { StreamEncoder } from '../surface.ts';
import { toSuccessBody } from './answer.ts';

/** JSON has no line end outside its escapes, so that each event has one line of data. */
export const NATIVE_STREAM: StreamEncoder = {
  text: (text) => frame('delta', JSON.stringify({ text })),
  toolCall: (call) => frame('toolCall', JSON.stringify(call)),
  result: (result, receipt) =>
    frame(
      'result',
      JSON.stringify({ ...toSuccessBody(result), ...(receipt === undefined ? {} : { receipt }) }),
    ),
  error: ({ body }) => frame('error', body),
};

function frame(event: string, data: string): string {
  return `event: ${event}\ndata: ${toEventData(data)}\n\n`;
}
