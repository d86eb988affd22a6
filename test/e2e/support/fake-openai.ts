// An OpenAI-compatible server on loopback whose models are well or ill behaved by name; it keeps what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Text that only a provider knows: no caller and no log may ever see it. */
export const PROVIDER_TEXT = 'words-that-only-the-provider-knows';

/** A request as the server got it. */
export interface AskedModel {
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly messages: readonly { role: string; content: string }[] };
}

/** The running server. */
export interface FakeOpenai {
  readonly baseUrl: string;
  readonly asked: readonly AskedModel[];
  stop(): Promise<void>;
}

/**
 * Models: `ok`, `wordy` (the same), `broke` (quota exhausted), `too-long` (for its context), `hang`, `cut`, `html`, `wrong-shape`, `endless`, `trickle`, `bad-arguments`, and `status-NNN`, with a name behind it where a test wants
 * a model of its own. */
export async function startFakeOpenai(): Promise<FakeOpenai> {
  const asked: AskedModel[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const body = JSON.parse(text) as AskedModel['body'];
      asked.push({ authorization: request.headers.authorization, body });
      answer(body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function answer({ model, messages }: AskedModel['body'], response: ServerResponse): void {
  const status = /^status-([0-9]{3})(?:-[a-z]+)?$/.exec(model)?.[1];
  if (status !== undefined)
    sendJson(response, Number(status), { error: { message: PROVIDER_TEXT, type: PROVIDER_TEXT } });
  else if (model === 'ok' || model === 'wordy')
    sendJson(response, 200, completion(`heard: ${messages.at(-1)?.content}`));
  else if (model === 'broke')
    sendJson(response, 429, {
      error: { message: PROVIDER_TEXT, type: 'insufficient_quota', code: 'insufficient_quota' },
    });
  else if (model === 'too-long')
    sendJson(response, 400, { error: { message: PROVIDER_TEXT, code: 'context_length_exceeded' } });
  else if (model === 'bad-arguments') sendJson(response, 200, brokenCall());
  else if (model === 'wrong-shape') sendJson(response, 200, { choices: PROVIDER_TEXT });
  else if (model === 'html')
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${PROVIDER_TEXT}</html>`);
  else if (model === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write(`{"choices":[{"message":{"content":"${PROVIDER_TEXT}`, () => response.destroy());
  } else if (model === 'endless') pour(response);
  else if (model === 'trickle') trickle(response);
  // `hang`: never an answer.
}

function completion(content: string) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'ok-2026-11-01',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}

/** Calls `look_up` with arguments that are cut off. */
function brokenCall() {
  const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"city": "Par' } };
  const { choices, ...rest } = completion('');
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  return { ...rest, choices: choices.map((choice) => ({ ...choice, message, finish_reason: 'tool_calls' })) };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A byte every 50 ms: the connection is never silent, and the answer never whole. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const piece = Buffer.alloc(65_536, ' ');
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
