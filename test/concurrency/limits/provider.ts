// The provider that counts: an OpenAI-compatible server on loopback with books of its own. No code of the product takes part in them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, PRICE } from './scenario.ts';

/** A running provider. */
export interface CountingProvider {
  readonly baseUrl: string;
  /** Every attempt since the last time, in the order in which it came. */
  takeAttempts(): readonly Attempt[];
  stop(): Promise<void>;
}

interface Completion {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

interface Usage {
  readonly input: number;
  readonly output: number;
}

/**
 * Models: `all` uses every token that it may, `some` few, `none` reports no usage, `slow` and `long` take their time, `fails` always fails and
 * uses nothing, `fails-once` the first time for every fourth request, `often-fails` always for every third, `hangs` uses all and says
 * nothing.
 */
export async function startCountingProvider(): Promise<CountingProvider> {
  const attempts: Attempt[] = [];
  const failed = new Set<string>();
  const server = createServer((request, response) => {
    void answer(request, response, attempts, failed).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    takeAttempts: () => attempts.splice(0),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  attempts: Attempt[],
  failed: Set<string>,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = JSON.parse(Buffer.concat(pieces).toString()) as Completion;
  const id = body.messages.at(-1)?.content ?? '';
  const most = mostOf(body);
  const book = ({ input, output }: Usage): Attempt => {
    const attempt: Attempt = {
      id,
      tokens: input + output,
      microdollars: input * PRICE.input + output * PRICE.output,
      beganMs: performance.now(),
    };
    // The caller may go away before it is answered.
    response.once('close', () => {
      attempt.endedMs ??= performance.now();
    });
    attempts.push(attempt);
    return attempt;
  };
  if (fails(body.model, id, failed)) {
    book({ input: 0, output: 0 });
    send(response, 503, { error: { message: 'no' } });
    return;
  }
  const used = body.model === 'some' ? { input: 10, output: 5 } : most;
  const attempt = book(used);
  if (body.model === 'hangs') return;
  await sleep(durationOf(body.model));
  // Before the answer: whoever has it may go on at once.
  attempt.endedMs = performance.now();
  send(response, 200, completion(body.model, used));
}

function durationOf(model: string): number {
  if (model === 'long') return 1_000 + Math.random() * 500;
  return model === 'slow' ? 200 + Math.random() * 400 : Math.random() * 30;
}

/** A token is at least one byte, and each message costs at most 64 more: nothing that was sent can be counted higher. */
function mostOf({ messages, max_tokens, max_completion_tokens }: Completion): Usage {
  const input = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + 64, 0);
  return { input, output: max_tokens ?? max_completion_tokens ?? 0 };
}

function fails(model: string, id: string, failed: Set<string>): boolean {
  if (model === 'fails') return true;
  if (model === 'often-fails') return Number(id.split('.')[1]) % 3 === 0;
  if (model !== 'fails-once' || Number(id.split('.')[1]) % 4 > 0 || failed.has(id)) return false;
  failed.add(id);
  return true;
}

function completion(model: string, { input, output }: Usage): object {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes.' } }],
    ...(model === 'none' ? {} : { usage }),
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
