// An OpenAI-compatible server on loopback whose model `flaky` fails every first time and answers every second; all others fail.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The running server. */
export interface FlakyModels {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Each answer took 11 tokens in and 7 out. */
export async function startFlakyModels(): Promise<FlakyModels> {
  let asked = 0;
  const server = createServer((request, response) => {
    void readModel(request).then((model) => {
      if (model === 'flaky') asked += 1;
      const fails = model !== 'flaky' || asked % 2 === 1;
      response.writeHead(fails ? 503 : 200, { 'content-type': 'application/json' });
      response.end(fails ? '{}' : JSON.stringify(COMPLETION));
    });
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

const COMPLETION = {
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'At last.' } }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
};

async function readModel(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return (JSON.parse(text) as { model: string }).model;
}
