// An OpenAI-compatible server on loopback that repeats in its errors whatever it was sent: the key, the prompt, everything.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The running server. */
export interface TelltaleProvider {
  readonly baseUrl: string;
  /** Values of `Authorization` that came. */
  readonly keys: ReadonlySet<string>;
  stop(): Promise<void>;
}

/**
 * Models: `status-NNN` is refused so, `wrong-shape` and `html` are answers that are none,
 * `bad-arguments` calls a tool with arguments that are no JSON, `too-long` has too small a context, `cut` breaks off, `hang` never comes.
 */
export async function startTelltaleProvider(): Promise<TelltaleProvider> {
  const keys = new Set<string>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const asked = Buffer.concat(pieces).toString();
      const { model } = JSON.parse(asked) as { readonly model: string };
      keys.add(String(request.headers.authorization));
      const words = `Incorrect API key provided: ${request.headers.authorization}. You asked: ${asked}`;
      const status = /^status-([0-9]{3})$/.exec(model)?.[1];
      const json = { 'content-type': 'application/json', 'x-request-id': words.slice(0, 80) };
      if (status !== undefined)
        response
          .writeHead(Number(status), json)
          .end(JSON.stringify({ error: { message: words, type: words, code: words } }));
      else if (model === 'too-long')
        response
          .writeHead(400, json)
          .end(JSON.stringify({ error: { message: words, code: 'context_length_exceeded' } }));
      else if (model === 'wrong-shape') response.writeHead(200, json).end(JSON.stringify({ choices: words }));
      else if (model === 'bad-arguments') response.writeHead(200, json).end(JSON.stringify(callWith(words)));
      else if (model === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end(words);
      else if (model === 'cut') {
        response.writeHead(200, { ...json, 'content-length': '100000' });
        response.write(words, () => response.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keys,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A completion that calls the tool `look_up`. */
function callWith(words: string) {
  const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: words } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'bad-arguments',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}
