// An OpenAI-compatible server on loopback whose streams go on when a test says so: the order of things is seen without a clock.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of the model, to be answered a piece at a time. */
export interface ModelCall {
  /** Sends a piece of the text; resolves when it has left this process. */
  send(text: string): Promise<void>;
  /** Ends the stream as its protocol wants it. */
  finish(usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }): void;
  /** Ends the connection in the middle of the answer. */
  cut(): void;
  /** True when the caller has gone away. */
  isGone(): boolean;
}

/** The running server. */
export interface StepwiseModel {
  readonly baseUrl: string;
  /** The next call that nobody has taken yet. */
  nextCall(): Promise<ModelCall>;
  stop(): Promise<void>;
}

/** Starts it; calls that nobody takes get no answer. */
export async function startStepwiseModel(): Promise<StepwiseModel> {
  const calls: ModelCall[] = [];
  const takers: ((call: ModelCall) => void)[] = [];
  const server = createServer((request, response) => {
    void drain(request).then(() => {
      const call = open(response);
      const taker = takers.shift();
      if (taker === undefined) calls.push(call);
      else taker(call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    nextCall: () =>
      new Promise((resolve) => {
        const waiting = calls.shift();
        if (waiting === undefined) takers.push(resolve);
        else resolve(waiting);
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function open(response: ServerResponse): ModelCall {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const write = (chunk: object | string) =>
    new Promise<void>((resolve) => {
      response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`, () =>
        resolve(),
      );
    });
  const chunkOf = (delta: object, finish_reason: string | null) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'stepwise-1' },
    choices: [{ index: 0, delta, finish_reason }],
  });
  return {
    send: (content) => write(chunkOf({ content }, null)),
    finish(usage) {
      void write(chunkOf({}, 'stop'));
      if (usage !== undefined) void write({ ...chunkOf({}, null), choices: [], usage });
      void write('[DONE]');
      response.end();
    },
    cut: () => void response.destroy(),
    isGone: () => response.destroyed,
  };
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _piece of request);
}
