// A model on loopback with OpenAI's interface that answers by a script: each turn is what it says or calls after so many results of tools.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A tool is named by a pattern: agents name theirs anew with each release. */
export interface ScriptedCall {
  readonly tool: RegExp;
  readonly input: (parameters: Json) => object;
}

/** One answer of the model. */
export type ScriptedTurn =
  | { readonly say: string; readonly finish?: 'length' }
  | { readonly call: readonly ScriptedCall[] }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: object };

type Json = Readonly<Record<string, unknown>>;

interface Asked {
  readonly stream?: boolean;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: Json } }[];
}

/** The turns of a script are taken in order, and the last one is repeated. A request without tools gets the last words: agents ask for titles. */
export async function startScriptedAgentModel() {
  const asked: Asked[] = [];
  let turns: readonly ScriptedTurn[] = [{ say: 'Hello' }];
  let next = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const read = JSON.parse(body) as Asked;
      asked.push(read);
      const isAgent = (read.tools ?? []).length > 0;
      const turn = (isAgent ? turns[next] : undefined) ?? turns.at(-1) ?? { say: 'Hello' };
      if (isAgent) next += 1;
      answer(read, turn, response);
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** Begins another script. */
    follow(script: readonly ScriptedTurn[]) {
      turns = script;
      next = 0;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer({ model, messages, tools = [] }: Asked, turn: ScriptedTurn, response: ServerResponse): void {
  if ('status' in turn) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
    response.end(JSON.stringify(turn.body));
    return;
  }
  const calls =
    'say' in turn ? [] : turn.call.map((call, index) => toCall(call, tools, `${messages.length}_${index}`));
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model };
  const write = (choices: readonly object[], more: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`);
  const delta = (one: object, reason: string | null = null) =>
    write([{ index: 0, delta: one, finish_reason: reason }]);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  delta({ role: 'assistant', content: 'say' in turn ? turn.say : '' });
  for (const [index, call] of calls.entries()) delta({ tool_calls: [{ index, ...call }] });
  delta({}, calls.length > 0 ? 'tool_calls' : (('finish' in turn ? turn.finish : undefined) ?? 'stop'));
  write([], { usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 } });
  response.end('data: [DONE]\n\n');
}

function toCall({ tool, input }: ScriptedCall, tools: NonNullable<Asked['tools']>, id: string) {
  const found = tools.find(({ function: one }) => tool.test(one.name));
  if (found === undefined) {
    throw new Error(
      `no tool is named like ${tool}: ${tools.map(({ function: one }) => one.name).join(', ')}`,
    );
  }
  const { name, parameters = {} } = found.function;
  return {
    id: `call_${id}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input(parameters)) },
  };
}
