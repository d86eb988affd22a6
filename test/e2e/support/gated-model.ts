// An OpenAI-compatible server on loopback that answers when it is told to: it says how many calls run, and how many came.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The running server. */
export interface GatedModel {
  readonly baseUrl: string;
  /** Calls that wait for their answer now. */
  readonly waiting: () => number;
  /** Calls that came so far. */
  readonly calls: () => number;
  /** Answers every call that waits, streams in one piece. */
  open(): void;
  stop(): Promise<void>;
}

/** Starts it. The answer is the same for all: `Yes.`, one token of each kind. */
export async function startGatedModel(): Promise<GatedModel> {
  const waiting: { readonly response: ServerResponse; readonly isStream: boolean }[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      calls += 1;
      waiting.push({ response, isStream: JSON.parse(text).stream === true });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    waiting: () => waiting.length,
    calls: () => calls,
    open() {
      for (const { response, isStream } of waiting.splice(0)) answer(response, isStream);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, isStream: boolean): void {
  const base = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const message = { role: 'assistant', content: 'Yes.' };
  if (!isStream) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...base, usage, choices: [{ index: 0, finish_reason: 'stop', message }] }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const chunk = { ...base, object: 'chat.completion.chunk', usage };
  const choices = [{ index: 0, finish_reason: 'stop', delta: message }];
  response.end(`data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`);
}
