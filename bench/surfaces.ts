// One streamed conversation by each surface, in turns: milliseconds to the first piece, and CPU of the execution function for a call.
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from './gateways/load.ts';
import { startLocalStack } from './gateways/local-stack.ts';
import { cpuBetween, readProcesses } from './gateways/processes.ts';
import { percentile } from './statistics.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const ROUNDS = 6;
const CALLS = 100;
/** Pieces of the answer, each written by itself. */
const PIECES = 50;
const PIECE = 'piece ';

const MESSAGES = [
  { role: 'user', content: 'Question '.repeat(200) },
  { role: 'assistant', content: 'Answer '.repeat(200) },
  { role: 'user', content: 'Go on.' },
];
const PARAMETERS = { type: 'object', properties: { path: { type: 'string' } } };
const NAMES = Array.from({ length: 10 }, (_, index) => `tool_${index}`);

/** The same conversation with the same tools in the form of each surface. */
const BODIES: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  'Chat Completions': {
    path: 'chat/completions',
    body: {
      messages: MESSAGES,
      tools: NAMES.map((name) => ({ type: 'function', function: { name, parameters: PARAMETERS } })),
    },
  },
  Responses: {
    path: 'responses',
    body: {
      store: false,
      input: MESSAGES,
      tools: NAMES.map((name) => ({ type: 'function', name, parameters: PARAMETERS })),
    },
  },
  Messages: {
    path: 'messages',
    body: {
      max_tokens: 1_000,
      messages: MESSAGES,
      tools: NAMES.map((name) => ({ name, input_schema: PARAMETERS })),
    },
  },
};

function listen(): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.once('end', () => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (choice: object, more: object = {}) =>
        outgoing.write(
          `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, ...choice }], ...more })}\n\n`,
        );
      for (let piece = 0; piece < PIECES; piece += 1) send({ delta: { content: PIECE } });
      send(
        { delta: {}, finish_reason: 'stop' },
        { usage: { prompt_tokens: 600, completion_tokens: PIECES } },
      );
      outgoing.end('data: [DONE]\n\n');
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Milliseconds to the first piece of the answer. */
function callOnce({ url, headers, body }: Target, agent: Agent): Promise<number> {
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      let firstMs: number | undefined;
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        if (firstMs === undefined && text.includes(PIECE)) firstMs = performance.now() - beganMs;
      });
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200 && firstMs !== undefined) resolve(firstMs);
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

await withTemporaryFolder(async (folder) => {
  const provider = await listen();
  const { port } = provider.address() as AddressInfo;
  const gateway = await startLocalStack(folder, `http://127.0.0.1:${port}/v1`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const firsts: Record<string, number[]> = {};
  const cpu: Record<string, number> = {};
  try {
    const { url, headers } = gateway.target('');
    const base = url.replace('/acme/hello', '/v1/acme/agent');
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, { path, body }] of Object.entries(BODIES)) {
        const text = JSON.stringify({ model: 'agent', stream: true, ...body });
        const before = readProcesses(gateway.pid, gateway.nameProcess);
        const times: number[] = [];
        for (let call = 0; call < CALLS; call += 1) {
          times.push(await callOnce({ url: `${base}/${path}`, headers, body: text }, agent));
        }
        const spent = cpuBetween(before, readProcesses(gateway.pid, gateway.nameProcess));
        // The first round is compiled and loaded in.
        if (round === 0) continue;
        firsts[name] = [...(firsts[name] ?? []), ...times];
        cpu[name] = (cpu[name] ?? 0) + (spent['execution function'] ?? 0);
      }
    }
  } finally {
    agent.destroy();
    await gateway.stop();
    provider.close();
  }
  for (const [name, times] of Object.entries(firsts)) {
    const ms = [0.5, 0.9].map((part) => percentile(times, part).toFixed(2)).join(' and ');
    const perCall = ((cpu[name] ?? 0) / (ROUNDS * CALLS)).toFixed(2);
    process.stdout.write(
      `${name}: first piece after ${ms} ms (p50 and p90), ${perCall} ms of CPU for a call\n`,
    );
  }
});
