// A model on loopback with OpenAI's interface that does what is asked of it: it calls the tools that it is offered, with arguments of their
// schemas, fills the form of an answer, and repeats the results of tools.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Json = Readonly<Record<string, unknown>>;

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: Json } }[];
  readonly tool_choice?: unknown;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: Json } };
}

interface Call {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What was asked of the model last, by which a test sees what a client's members came to. */
export async function startObligingModel() {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const read = JSON.parse(body) as Asked;
      asked.push(read);
      answer(read, response);
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(asked: Asked, response: ServerResponse): void {
  const calls = callsFor(asked);
  const said = calls.length > 0 ? null : textFor(asked);
  const words = JSON.stringify(asked.messages).split(' ').length;
  const usage = { prompt_tokens: words, completion_tokens: 5, total_tokens: words + 5 };
  const finish = calls.length > 0 ? 'tool_calls' : 'stop';
  const head = { id: 'chatcmpl-1', created: 1, model: asked.model };
  if (asked.stream !== true) {
    const message = { role: 'assistant', content: said, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    const choices = [{ index: 0, finish_reason: finish, message }];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...head, object: 'chat.completion', usage, choices }));
    return;
  }
  const write = (delta: object, reason: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  write({ role: 'assistant', content: '' });
  for (const piece of said?.match(/\s*\S+\s*/g) ?? []) write({ content: piece });
  for (const [index, call] of calls.entries()) {
    const { name, arguments: input } = call.function;
    write({ tool_calls: [{ index, ...call, function: { name, arguments: input.slice(0, 4) } }] });
    write({ tool_calls: [{ index, function: { arguments: input.slice(4) } }] });
  }
  write({}, finish);
  response.end(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`);
}

/** Tools are called until their results are there; one that is named in the question, or must be called, before the others. */
function callsFor({ messages, tools = [], tool_choice: choice }: Asked): readonly Call[] {
  const last = messages.at(-1);
  if (tools.length === 0 || choice === 'none') return [];
  const names = tools.map((tool) => tool.function.name);
  const forced = (choice as { readonly function?: { readonly name: string } } | undefined)?.function?.name;
  const done = new Set(namesCalled(messages));
  const question = wordsOf(questionOf(messages));
  const named = names.filter((name) =>
    wordsOf(name).some((word) => word.length > 3 && question.includes(word)),
  );
  const open = (named.length > 0 ? named : names).filter((name) => !done.has(name));
  const isForced = choice === 'required' || forced !== undefined;
  if (last?.role === 'tool' && !isForced) return [];
  const chosen = forced !== undefined ? [forced] : open.length > 0 ? open : names.slice(-1);
  return chosen.map((name, index) => {
    const parameters = tools.find((tool) => tool.function.name === name)?.function.parameters ?? {};
    const input = instanceOf(parameters, parameters, questionOf(messages));
    return {
      id: `call_${messages.length}_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input ?? {}) },
    };
  });
}

/** Those called since the last word of a user. */
function namesCalled(messages: Asked['messages']): readonly string[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  return since.flatMap((message) => {
    const { tool_calls: calls = [] } = message as { readonly tool_calls?: readonly Call[] };
    return calls.map((call) => call.function.name);
  });
}

function textFor({ messages, response_format: format }: Asked): string {
  const question = questionOf(messages);
  if (format?.json_schema !== undefined) {
    const { schema } = format.json_schema;
    return JSON.stringify(instanceOf(schema, schema, question));
  }
  const asked = schemaIn(messages);
  if (asked !== undefined) return JSON.stringify(instanceOf(asked, asked, question));
  if (format?.type === 'json_object') return JSON.stringify(objectFor(messages, question));
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .filter(({ role }) => role === 'tool');
  const told = results.map(({ content }) => contentText(content)).join('; ');
  return told === '' ? `You said: ${question}` : `The tools say: ${told}`;
}

/** The members that the question asks for, or that a memory asks for, by their names. */
function objectFor(messages: Asked['messages'], question: string): Json {
  const said = messages.map(({ content }) => contentText(content)).join('\n');
  if (said.includes('"memory"')) return { memory: [{ id: '0', text: 'Likes green tea', event: 'ADD' }] };
  const names = [...question.matchAll(/[`'"]([a-z]+)[`'"]/g)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  );
  if (question.includes('keys')) return Object.fromEntries(names.map((name) => [name, 'Bern']));
  return { city: 'Bern', degrees: numberIn(question) };
}

/** A schema that a client wrote into its words, as those do whose model takes none. */
function schemaIn(messages: Asked['messages']): Json | undefined {
  const words = messages
    .filter(({ role }) => role !== 'assistant')
    .map(({ content }) => contentText(content))
    .join('\n');
  const start = words.search(/\{\s*"(?:\$defs|properties|type|title|description|additionalProperties)"/);
  for (let end = words.length; start !== -1 && end > start; end = words.lastIndexOf('}', end - 2) + 1) {
    try {
      const value: unknown = JSON.parse(words.slice(start, end));
      return typeof value === 'object' && value !== null && 'properties' in value
        ? (value as Json)
        : undefined;
    } catch {
      // A shorter end is tried.
    }
  }
  return undefined;
}

function questionOf(messages: Asked['messages']): string {
  return contentText(messages.findLast(({ role }) => role === 'user')?.content);
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
  return parts.map(({ text: said = '' }) => said).join('');
}

function wordsOf(said: string): readonly string[] {
  return said
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

/** A value of a schema, with numbers and quoted texts of the question. */
function instanceOf(schema: Json, root: Json, question: string): unknown {
  const ref = schema['$ref'];
  if (typeof ref === 'string') {
    const at = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, name) => (value as Json)[name], root);
    return instanceOf(at as Json, root, question);
  }
  const any = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as readonly Json[] | undefined;
  if (any?.[0] !== undefined) return instanceOf(any[0], root, question);
  if (schema['const'] !== undefined) return schema['const'];
  const [first] = (schema['enum'] as readonly unknown[] | undefined) ?? [];
  if (first !== undefined) return first;
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] as Json | undefined) ?? {}).map(([name, member]) => [
          ...[name, instanceOf(member as Json, root, question)],
        ]),
      );
    case 'array':
      return [instanceOf((schema['items'] as Json | undefined) ?? { type: 'string' }, root, question)];
    case 'integer':
      return Math.round(numberIn(question));
    case 'number':
      return numberIn(question);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return /['"]([^'"]+)['"]/.exec(question)?.[1] ?? 'Bern';
  }
}

function numberIn(question: string): number {
  return Number(/-?\d+(?:\.\d+)?/.exec(question)?.[0] ?? 21);
}
