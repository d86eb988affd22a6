// Sends each hostile body to one environment, and prints what it cost; in a process of its own, whose memory is measured as a whole.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

/** The cost of one body to the whole process, beyond what it took before. */
export interface BodyCost {
  /** Kind and size of the body. */
  readonly name: string;
  readonly surface: string;
  readonly cpuMs: number;
  readonly megabytes: number;
  readonly status: number;
}

const SURFACES = ['native', 'openai', 'responses', 'anthropic', 'embeddings'] as const;
type Surface = (typeof SURFACES)[number];

const ANSWER = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
});

const [folder = '', neuron = '', maxCpuMs = ''] = process.argv.slice(2);
const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
const all = ['history', 'system', 'images', 'tools', 'schema', 'parameters'];
const callModel = { provider: 'model', model: 'm', retries: 0 };
const ports = portsOf(
  {
    providers: { model: { type: 'openai', baseUrl: 'https://api.example.com/v1' } },
    neurons: {
      plain: { flow: [{ callModel }] },
      images: { flow: [{ callModel: { ...callModel, accepts: all } }] },
      limited: {
        settings: { rateLimits: [{ metric: 'requests', scope: 'ip', limit: 1, period: '1d' }] },
        flow: [{ callModel }],
      },
      // The answer reports no usage, so that its whole reservation counts.
      spent: {
        settings: { rateLimits: [{ metric: 'tokens', scope: 'total', limit: 1_200, period: '1d' }] },
        flow: [{ callModel }],
      },
    },
  },
  createMemoryCounters(),
  {
    clock,
    responses: createMemoryResponseCache(),
    logs: { put: async () => true },
    openHttp: (request) =>
      createStreamHttp({ headers: { 'content-type': 'application/json' }, pieces: [ANSWER] }).openHttp(
        request,
      ),
  },
);

async function send(body: string, surface: Surface): Promise<number> {
  const event = { ...eventOf(neuron, {}, { stream: false, surface }, 'call', clock), body };
  const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
  return (await finish(served)).status;
}

/** Megabytes of memory, as the kernel counts them: `VmRSS` now, `VmHWM` at most since `forgetPeak`. */
function memory(field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}

/** Lets `VmHWM` begin anew (proc_pid_clear_refs(5)). */
function forgetPeak(): void {
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', '5');
}

/** The least of at most five: the first ones are not compiled yet, and other work on the machine adds to each. */
async function costOf(name: string, surface: Surface): Promise<BodyCost> {
  const written = readFileSync(join(folder, name), 'utf8').replace('"model":"m"', `"model":"${neuron}"`);
  // In one piece, as the runtime hands a body over: reading a text that was put together takes six times as long.
  const body = Buffer.from(written).toString();
  let [status, least] = [0, Number.POSITIVE_INFINITY];
  forgetPeak();
  const heldBefore = memory('VmRSS');
  for (let time = 0; time < 5 && least > Number(maxCpuMs); time += 1) {
    const before = process.cpuUsage();
    status = await send(body, surface);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return { name, surface, cpuMs: least, megabytes: memory('VmHWM') - heldBefore, status };
}

// Uses the limit up, where there is one, and lets the environment know.
for (let time = 0; time < 2; time += 1) await send('{"input":"Hello"}', 'native');
const costs: BodyCost[] = [];
for (const name of readdirSync(folder))
  for (const surface of SURFACES) costs.push(await costOf(name, surface));
process.stdout.write(JSON.stringify(costs));
