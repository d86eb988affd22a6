// The model provider of the measurement of streams: OpenAI-compatible, in a process of its own. Each piece of its text is the time at
// which it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A question, as JSON: the stream to send. */
export interface StreamQuestion {
  /** Pieces, and the milliseconds between two of them. */
  readonly pieces?: number;
  readonly everyMs?: number;
  /** Pieces until the measurement says `go`, and then as many as `pieces`. */
  readonly waits?: boolean;
  /** Kibibytes of text without times, sent as fast as it is taken. */
  readonly floodKib?: number;
}

/** 16 KiB. */
const FLOOD = 'x'.repeat(16_384);

/** Bytes of floods that a gateway has taken so far. */
let flooded = 0;
let went = Promise.withResolvers<void>();

process.on('message', (message) => {
  if (message === 'go') {
    went.resolve();
    went = Promise.withResolvers<void>();
  }
  if (message === 'flooded?') process.send?.({ flooded });
});

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => undefined);
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  const { stream, messages } = JSON.parse(body) as {
    readonly stream?: boolean;
    readonly messages: readonly { readonly content: string }[];
  };
  const text = messages.at(-1)?.content ?? '';
  if (stream !== true) return answerWhole(response, text);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  await write(response, JSON.parse(text) as StreamQuestion);
  response.end(`data: ${chunk('', 'stop')}\n\ndata: [DONE]\n\n`);
}

function answerWhole(response: ServerResponse, text: string): void {
  const message = { role: 'assistant', content: `You said: ${text}` };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'mock-1',
      choices: [{ index: 0, finish_reason: 'stop', message }],
      usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
    }),
  );
}

async function write(
  response: ServerResponse,
  { pieces = 0, everyMs = 0, waits = false, floodKib = 0 }: StreamQuestion,
): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  for (let sent = 0; sent < floodKib / 16 && !response.destroyed; sent += 1) {
    if (!response.write(`data: ${chunk(FLOOD)}\n\n`))
      await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed]);
    flooded += FLOOD.length;
  }
  let left = pieces;
  let isWaiting = waits;
  void went.promise.then(() => {
    isWaiting = false;
  });
  while (left > 0 && !response.destroyed) {
    response.write(`data: ${chunk(`${(performance.timeOrigin + performance.now()).toFixed(3)} `)}\n\n`);
    if (!isWaiting) left -= 1;
    await sleep(everyMs);
  }
}

function chunk(content: string, finish: string | null = null): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'mock-1',
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });
}
