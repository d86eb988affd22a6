// An agent's session of 39 KB with 10 tools, 200 times, and one of 1,000 turns with tools: milliseconds and CPU of a call, beside Portkey's
// gateway in the same run.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { end, type Gateway, JSON_TYPE } from './gateways/gateway.ts';
import { type Target, timeCalls } from './gateways/load.ts';
import { startLocalStack } from './gateways/local-stack.ts';
import { startPortkey } from './gateways/peers.ts';
import { cpuBetween, readProcesses } from './gateways/processes.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const TOOLS = Array.from({ length: 10 }, (_, index) => ({
  type: 'function',
  function: {
    name: `tool_${index}`,
    description: 'Does one of the things that an agent does. '.repeat(8),
    parameters: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
  },
}));

/** Turns of a user, a call, its result and an answer, as an agent sends them back. */
function turnsOf(count: number, result: string): readonly object[] {
  return Array.from({ length: count }, (_, index) => [
    { role: 'user', content: `Question ${index}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call_${index}`,
          type: 'function',
          function: { name: `tool_${index % 10}`, arguments: `{"path":"${index}"}` },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${index}`, content: `Result ${index}: ${result}` },
    { role: 'assistant', content: `Answer ${index}` },
  ]).flat();
}

const bodyOf = (messages: readonly object[]) => {
  const asked = [
    { role: 'system', content: 'You are an agent.' },
    ...messages,
    { role: 'user', content: 'Go on.' },
  ];
  return JSON.stringify({ model: 'mock-1', max_tokens: 1024, messages: asked, tools: TOOLS });
};

const SESSIONS: readonly (readonly [name: string, body: string, calls: number])[] = [
  ['a session of 39 KB with 10 tools', bodyOf(turnsOf(20, 'x'.repeat(1_420))), 200],
  ['a session of 1,000 turns with tools', bodyOf(turnsOf(1_000, 'x'.repeat(40))), 40],
];

await withTemporaryFolder(async (folder) => {
  const provider = fork(join(import.meta.dirname, 'mock-provider.ts'));
  const gateways: Gateway[] = [];
  try {
    const [port] = (await once(provider, 'message')) as [number];
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    gateways.push(await startLocalStack(folder, baseUrl), await startPortkey(baseUrl));
    for (const [name, body, calls] of SESSIONS) {
      const direct = await timeCalls({ url: `${baseUrl}/chat/completions`, headers: JSON_TYPE, body }, calls);
      print(name, `${Math.round(body.length / 1000)} KB`, 'the provider alone', direct);
      for (const gateway of gateways) {
        const target = targetOf(gateway, body);
        await timeCalls(target, calls);
        const before = readProcesses(gateway.pid, gateway.nameProcess);
        const times = await timeCalls(target, calls);
        const cpu = cpuBetween(before, readProcesses(gateway.pid, gateway.nameProcess));
        const parts = Object.entries(cpu).map(([part, ms]) => `${part} ${(ms / calls).toFixed(1)}`);
        print(
          name,
          gateway.name,
          times,
          `CPU of a call in ms: ${parts.join(', ')}`,
          `peak ${peakOf(gateway)} MB`,
        );
      }
    }
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await end(provider);
  }
});

function targetOf(gateway: Gateway, body: string): Target {
  const { url, headers } = gateway.target('');
  if (!url.includes('/acme/')) return { url, headers, body };
  const address = url.replace('/acme/hello', '/v1/acme/agent/chat/completions');
  return { url: address, headers, body: body.replace('"model":"mock-1"', '"model":"agent"') };
}

/** Megabytes of memory of the largest process, since its start (proc_pid_status(5)). */
function peakOf({ pid, nameProcess }: Gateway): number {
  const peaks = [...readProcesses(pid, nameProcess).keys()].map((one) => {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${one}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1_000;
  });
  return Math.round(Math.max(...peaks));
}

function print(...parts: readonly unknown[]): void {
  process.stdout.write(
    `${parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' | ')}\n`,
  );
}
