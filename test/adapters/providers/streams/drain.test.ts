// What becomes of the connection of a stream over a real socket: kept behind a whole answer, closed behind any other.
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import { systemClock } from '../../../../adapters/platform/clock.ts';
import { createCompletionReader } from '../../../../adapters/providers/openai/read-chunks.ts';
import { readAnswer } from '../../../../adapters/providers/streams/read-answer.ts';
import { createSseDecoder } from '../../../../adapters/providers/streams/sse-decoder.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import { streamModelCall } from '../../../../core/flow/stream-attempt.ts';
import type { ModelEvent, ModelRequest } from '../../../../core/ports/providers.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { type RawServer, startRawServer } from '../../http/raw-server.ts';
import { sse } from './protocols.ts';

let openHttp: OpenHttp;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createOpenHttp } = await import('../../../../adapters/http/request.ts');
  openHttp = createOpenHttp();
});

const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const WHOLE =
  sse({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }) + sse('[DONE]');

/** By an attempt of a run, whose end must not end the connection. */
async function ask({ url }: RawServer): Promise<{ readonly text: string; readonly thrown: unknown }> {
  async function* stream({ signal }: ModelRequest): AsyncGenerator<ModelEvent> {
    const answer = await openHttp({ method: 'POST', url, body: '{}', signal });
    yield* readAnswer(answer, createSseDecoder(), createCompletionReader());
  }
  const deadline = startDeadline(systemClock, 60_000);
  const request = { model: 'm', system: [], messages: [userMessage('Hello')], maxTokens: 5 };
  const bounds = { timeoutMs: 60_000, deadline, clock: systemClock };
  const sink = { text: async () => undefined, toolCall: async () => undefined };
  return streamModelCall(stream, request, bounds, sink)
    .then(
      ({ text }) => ({ text, thrown: undefined }),
      (thrown: unknown) => ({ text: '', thrown }),
    )
    .finally(() => deadline.end());
}

describe('the connection of a stream', () => {
  it.each([
    ['with its last chunk', (socket: Socket) => socket.write(`${HEAD}${chunk(WHOLE)}0\r\n\r\n`)],
    [
      'a moment after it',
      (socket: Socket) => {
        socket.write(`${HEAD}${chunk(WHOLE)}`);
        setTimeout(() => socket.write('0\r\n\r\n'), 20);
      },
    ],
  ])('is kept for the next where the end of the body comes %s', async (_when, send) => {
    const server = await startRawServer(send);
    expect((await ask(server)).text).toBe('Hi');
    await vi.waitFor(
      async () => {
        const before = server.received.length;
        expect((await ask(server)).text).toBe('Hi');
        expect(server.received).toHaveLength(before);
      },
      { timeout: 10_000, interval: 100 },
    );
  });

  it.each([
    ['goes on and on', sse({ choices: [] }).repeat(2_000)],
    ['does not end', ''],
  ])('is closed where the body %s', async (_how, more) => {
    const server = await startRawServer((socket) => socket.write(`${HEAD}${chunk(WHOLE + more)}`));
    expect((await ask(server)).text).toBe('Hi');
    await vi.waitFor(() => expect(server.open()).toBe(0), 10_000);
  });

  it('is closed where the answer cannot be whole any more', async () => {
    const server = await startRawServer((socket) => socket.write(`${HEAD}${chunk(sse('{'))}`));
    expect((await ask(server)).thrown).toMatchObject({ kind: 'truncated' });
    await vi.waitFor(() => expect(server.open()).toBe(0), 10_000);
  });
});
