// The bounds of a streamed answer. Expected: API Gateway Developer Guide, "Considerations for response payload streaming": idle for five
// minutes at a Regional endpoint; in all, for as long as the integration's timeout allows, which is 15 minutes at most.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Functions, InvokeResult, OnChunk } from '../../functions/index.ts';
import { type AnswerSink, runStreaming } from '../../integration/proxy.ts';

const MINUTE_MS = 60_000;
const HEAD = `{"statusCode":200}${'\0'.repeat(8)}`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream of a function that the test writes itself. */
function open(timeoutMs = 15 * MINUTE_MS) {
  const events: string[] = [];
  const sink: AnswerSink = {
    open: ({ status }) => void events.push(`head ${status}`),
    write: (bytes) => events.push(bytes.toString()) > 0,
    close: () => void events.push('end'),
    abort: () => void events.push('cut'),
  };
  let onChunk: OnChunk = () => true;
  const ran = Promise.withResolvers<InvokeResult>();
  const functions: Pick<Functions, 'invokeJson'> = {
    invokeJson: (_arn, _event, options) => {
      onChunk = options?.onChunk ?? onChunk;
      return ran.promise;
    },
  };
  const integration = { functionArn: 'arn', streaming: true, timeoutMs };
  const answered = runStreaming(functions, integration, ['{}'], sink);
  const write = (text: string) => onChunk(Buffer.from(text), () => undefined);
  const end = () => ran.resolve({ outcome: 'streamed', requestId: 'r' });
  return { events, answered, write, end };
}

describe('a stream through API Gateway', () => {
  it('is handed on chunk by chunk, at once', async () => {
    const { events, answered, write, end } = open();
    write(`${HEAD}a`);
    expect(events).toEqual(['head 200', 'a']);
    write('b');
    expect(events).toEqual(['head 200', 'a', 'b']);
    end();
    expect(await answered).toBeUndefined();
    expect(events.at(-1)).toBe('end');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is cut when nothing came for five minutes, and not before', async () => {
    const { events, answered, write } = open();
    write(`${HEAD}a`);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS - 1);
    write(': ping\n\n');
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS - 1);
    expect(events).toEqual(['head 200', 'a', ': ping\n\n']);
    await vi.advanceTimersByTimeAsync(1);
    expect(events.at(-1)).toBe('cut');
    expect(await answered).toBeUndefined();
  });

  it('is cut when it is idle from its head on', async () => {
    const { events, write } = open();
    write(HEAD);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    expect(events).toEqual(['head 200', 'cut']);
  });

  it('is cut at the timeout of its integration, however busy it is', async () => {
    const { events, answered, write, end } = open(15 * MINUTE_MS);
    write(HEAD);
    for (let minute = 1; minute < 15; minute += 1) {
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
      write('a');
    }
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(events).not.toContain('cut');
    await vi.advanceTimersByTimeAsync(1);
    expect(events.at(-1)).toBe('cut');
    // The function goes on, as on AWS: nobody gets what it still writes.
    expect(write('late')).toBe(true);
    end();
    expect(await answered).toBeUndefined();
    expect(events.at(-1)).toBe('cut');
  });

  it('that has not begun by the timeout is an error with a status', async () => {
    const { events, answered } = open(MINUTE_MS);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(await answered).toEqual({ type: 'INTEGRATION_TIMEOUT' });
    expect(events).toEqual([]);
  });
});
