// An OpenAI-compatible server on loopback with fixed vectors and an answer that is another with every call: a repeated one can only
// come from a cache.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How embeddings go wrong; undefined: they do not. */
export type EmbeddingFault = 'hang' | 'fail' | 'short' | 'html' | undefined;

/** The running server. */
export interface ScriptedModels {
  readonly baseUrl: string;
  /** `chat` or `embeddings`, in the order in which they were asked for. */
  readonly asked: readonly string[];
  breakEmbeddings(fault: EmbeddingFault): void;
  /** Told of every call, before it is answered. */
  onCall(listener: (kind: 'chat' | 'embeddings') => void): void;
  stop(): Promise<void>;
}

/**
 * The vector of a text is its angle in a plane: 5° for each `~` at its end, which the guard does not look at. Texts that are 10°
 * apart have a similarity of 0.985, 25° of 0.906. Chat answers say `run N`; a prompt with the word `cut` ends by its length.
 */
export async function startScriptedModels(): Promise<ScriptedModels> {
  const asked: string[] = [];
  let fault: EmbeddingFault;
  let listener: (kind: 'chat' | 'embeddings') => void = () => undefined;
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const kind = request.url?.endsWith('/embeddings') ? 'embeddings' : 'chat';
      asked.push(kind);
      listener(kind);
      if (kind === 'embeddings') answerEmbedding(JSON.parse(text), fault, response);
      else answerChat(JSON.parse(text), asked.filter((one) => one === 'chat').length, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    breakEmbeddings(next) {
      fault = next;
    },
    onCall(next) {
      listener = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerEmbedding(
  { input, dimensions }: { input: string; dimensions: number },
  fault: EmbeddingFault,
  response: ServerResponse,
): void {
  if (fault === 'hang') return;
  if (fault === 'fail') return void response.writeHead(500).end('{}');
  if (fault === 'html') return void response.writeHead(200).end('<html></html>');
  const radians = ((/~*$/.exec(input)?.[0].length ?? 0) * 5 * Math.PI) / 180;
  const vector = new Array<number>(dimensions).fill(0);
  vector[0] = Math.cos(radians);
  vector[1] = Math.sin(radians);
  const embedding = fault === 'short' ? vector.slice(1) : vector;
  sendJson(response, { data: [{ index: 0, embedding }], usage: { prompt_tokens: 4, total_tokens: 4 } });
}

function answerChat(
  { messages }: { messages: readonly { content: string }[] },
  run: number,
  response: ServerResponse,
): void {
  const isCut = messages.some(({ content }) => /\bcut\b/.test(content));
  const content = `run ${run}: ${messages.at(-1)?.content}`;
  sendJson(response, {
    model: 'scripted-1',
    choices: [{ finish_reason: isCut ? 'length' : 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  });
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
