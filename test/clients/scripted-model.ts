// A model on loopback with OpenAI's interface: it calls tools for two rounds, and breaks streams off in every way by its name.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Ways in which a stream of an upstream ends badly, after two words. */
export const CUTS = ['closed', 'reset', 'mid-event', 'error-event', 'invalid-json'] as const;

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** Models: `two-rounds`, and `cut-NAME` for each of `CUTS`. */
export async function startScriptedModel() {
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(JSON.parse(body) as Asked, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer({ model, messages }: Asked, response: ServerResponse): void {
  if (model.startsWith('cut-')) {
    cut(model.slice('cut-'.length), response);
    return;
  }
  const results = messages.filter(({ role }) => role === 'tool');
  const round = results.length / 2;
  const call = (name: string) => ({
    id: `call_${round}_${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify({ city: ['Bern', 'Rome'][round] }) },
  });
  const message =
    round < 2
      ? { role: 'assistant', content: null, tool_calls: [call('weather'), call('clock')] }
      : { role: 'assistant', content: results.map(({ content }) => content).join('; ') };
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
      choices: [{ index: 0, finish_reason: round < 2 ? 'tool_calls' : 'stop', message }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  );
}

function cut(how: string, response: ServerResponse): void {
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({
      ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'cut' },
      choices: [{ index: 0, delta, finish_reason: null }],
    })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const begun = chunk({ role: 'assistant', content: 'Hel' }) + chunk({ content: 'lo' });
  if (how === 'reset') response.write(begun, () => setTimeout(() => response.destroy(), 50));
  else if (how === 'mid-event') response.end(begun + chunk({ content: ' there' }).slice(0, 40));
  else if (how === 'error-event')
    response.end(`${begun}data: {"error":{"message":"no","type":"server_error"}}\n\n`);
  else if (how === 'invalid-json') response.end(`${begun}data: {]\n\n`);
  else response.end(begun);
}
