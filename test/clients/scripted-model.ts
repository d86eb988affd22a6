// A model on loopback with OpenAI's interface: it calls tools for two rounds, and breaks streams off in every way by its name.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Ways in which a stream of an upstream ends badly, after two words where `CUT_WHEN` says nothing else. */
export const CUTS = [
  'closed',
  'reset',
  'mid-event',
  'error-event',
  'invalid-json',
  'garbage',
  'stall',
  'json-error',
] as const;

/** When a stream breaks off: before a word of it, or by a clock that a busy machine may overtake; after the first words where it is not here. */
export const CUT_WHEN: Readonly<Record<string, 'before' | 'any'>> = {
  'json-error': 'before',
  stall: 'any',
  echo: 'any',
};

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/**
 * Models: `two-rounds`, and `cut-NAME` for each of `CUTS`. A cut comes once the caller has the words before it, which `begun` resolves for: it is given
 * what was said to the model.
 */
export async function startScriptedModel(begun: (said: string) => Promise<void>) {
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(JSON.parse(body) as Asked, response, begun));
  });
  // A function that is slow to come back must not find its connection closed in its face.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  { model, messages, stream }: Asked,
  response: ServerResponse,
  begun: (said: string) => Promise<void>,
): void {
  if (model.startsWith('cut-')) {
    cut(model.slice('cut-'.length), response, begun(messages.at(-1)?.content ?? ''));
    return;
  }
  const results = messages.filter(({ role }) => role === 'tool');
  const round = results.length / 2;
  const call = (name: string) => ({
    id: `call_${round}_${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify({ city: ['Bern', 'Rome'][round] }) },
  });
  const calls = round < 2 ? [call('weather'), call('clock')] : [];
  const said = round < 2 ? null : results.map(({ content }) => content).join('; ');
  const finish = round < 2 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (stream === true) {
    // The arguments of both come in halves, one after the other.
    const opened = calls.map(({ function: { name }, ...one }, index) => ({
      ...{ index, ...one, function: { name, arguments: '' } },
    }));
    const halves = [0, 1].flatMap((half) =>
      calls.map(({ function: { arguments: input } }, index) => ({
        index,
        function: { arguments: half === 0 ? input.slice(0, 5) : input.slice(5) },
      })),
    );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: said }));
    for (const part of [...opened, ...halves]) response.write(chunk({ tool_calls: [part] }));
    response.write(chunk({}, finish));
    response.end(`data: ${JSON.stringify({ ...CHUNK, choices: [], usage })}\n\ndata: [DONE]\n\n`);
    return;
  }
  const message = { role: 'assistant', content: said, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  const completion = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, usage };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...completion, choices: [{ index: 0, finish_reason: finish, message }] }));
}

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function cut(how: string, response: ServerResponse, begun: Promise<void>): void {
  if (how === 'json-error') {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"error":{"message":"no","type":"server_error"}}');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: 'Hel' }) + chunk({ content: 'lo' }));
  // What is lost at once with its beginning would be an ordinary error.
  void begun.then(() => ENDINGS[how]?.(response));
}

/** What follows two words; nothing at all where it is not here. */
const ENDINGS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  closed: (response) => response.end(),
  reset: (response) => response.destroy(),
  'mid-event': (response) => response.end(chunk({ content: ' there' }).slice(0, 40)),
  'error-event': (response) => response.end('data: {"error":{"message":"no","type":"server_error"}}\n\n'),
  'invalid-json': (response) => response.end('data: {]\n\n'),
  garbage: (response) => response.end(Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0a, 0x0a])),
};
