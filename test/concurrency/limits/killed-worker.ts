// One environment of the proof with kills: several callers in turn take a place, run while the proof counts them, and free it. Never ends by itself.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { COUNTER_LIMITS, createCounterStore } from '../../../adapters/dynamodb/counters.ts';
import { systemClock } from '../../../adapters/platform/clock.ts';
import { systemRandom } from '../../../adapters/platform/random.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import { openBudget } from '../../../core/limits/budget.ts';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { planCounters } from '../../../core/limits/plan-counters.ts';
import { sendSettlement } from '../../../core/limits/send-settlement.ts';

/** What a process is started with. */
export interface KilledWork {
  readonly skewMs: number;
  readonly callers: number;
  readonly limit: number;
  readonly deadlineMs: number;
  readonly dynamodbUrl: string;
  readonly table: string;
  /** Where runs say that they begin and end: one connection each, which a kill ends. */
  readonly countPort: number;
}

const work = JSON.parse(process.argv[2] ?? '') as KilledWork;
const clock = { ...systemClock, now: () => systemClock.now() + work.skewMs };
const PATIENT = { ...COUNTER_LIMITS, connectionTimeout: 20_000, requestTimeout: 20_000 };
const counters = createCounterStore(createDocumentClient(PATIENT, work.dynamodbUrl), work.table);

/** As the function does it: API Gateway's time is the machine's, the function's own clock is off. */
async function call(): Promise<void> {
  const timeMs = Date.now();
  // A request is on its way for some time before its function runs.
  await sleep(Math.random() * 40);
  const runEndsAtMs = Math.max(clock.now(), timeMs) + work.deadlineMs;
  const overAtMs = Date.now() + work.deadlineMs;
  const budget = openBudget(
    planCounters({
      ...{ neuronId: 'killed', organizationId: 'killed', usageLimits: [], defaultConcurrency: undefined },
      ...{ takesKeys: false, keyLimits: [], timeMs, runEndsAtMs, shards: 1 },
      rateLimits: [{ metric: 'concurrent', scope: 'total', limit: work.limit }],
      caller: { authentication: 'public', username: undefined, keyId: undefined, sourceIp: '127.0.0.1' },
    }),
    {
      ...{ counters, clock, random: systemRandom, exhaustionCache: createExhaustionCache() },
      ...{ settingsVersion: '1', timeMs, retentionMs: 3_600_000, failOpen: false },
    },
  );
  try {
    await budget.admit(undefined);
  } catch (thrown) {
    process.send?.({ code: toServiceError(thrown).code });
    // Sooner than callers are told, so that free places are found at once.
    return sleep(50 + Math.random() * 100);
  }
  process.send?.({ code: 'ok' });
  await run(overAtMs);
  await Promise.all(
    budget
      .close()
      .map((one) => sendSettlement(one, { counters, clock, random: systemRandom }).catch(() => undefined)),
  );
}

/** Most are short, some go on until their deadline. */
async function run(overAtMs: number): Promise<void> {
  const socket = await open(`begin ${overAtMs}\n`);
  const leftMs = Math.max(0, overAtMs - Date.now());
  await sleep(Math.random() < 0.1 ? leftMs : Math.min(leftMs, Math.random() * 400));
  await say(socket, 'end\n');
  socket.destroy();
}

function open(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(work.countPort, '127.0.0.1');
    socket.once('error', reject);
    void say(socket, text).then(() => resolve(socket));
  });
}

/** Resolves when it has been heard. */
function say(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve());
    socket.write(text);
  });
}

async function callForever(): Promise<never> {
  for (;;) await call();
}

process.on('disconnect', () => process.exit(0));
await Promise.all(Array.from({ length: work.callers }, callForever));
