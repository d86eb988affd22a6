// Simulates 10,000 requests a second on the product's limits and a store whose items take as many writes a second as one partition of
// DynamoDB. Prints the table of docs/limits.md; the random numbers are seeded, so the output never changes.
import { ServiceError } from '../core/contract/service-error.ts';
import { type Budget, openBudget } from '../core/limits/budget.ts';
import { createExhaustionCache, type ExhaustionCache } from '../core/limits/exhaustion-cache.ts';
import { planCounters } from '../core/limits/plan-counters.ts';
import { MAX_RETRY_DELAYS_MS } from '../core/limits/send-settlement.ts';
import { CounterFailure, type CounterStore, type Settlement } from '../core/ports/counters.ts';
import type { RateLimit } from '../core/settings/neuron-schema.ts';
import type { Organization } from '../core/settings/organization-schema.ts';
import { sum } from '../core/text/numbers.ts';
import { createMemoryCounters } from '../test/support/memory/counters.ts';

/** Writes a second of one item (amazondynamodb/latest/developerguide/bp-partition-key-design.html). */
const WRITES_PER_ITEM = 1_000;
const REQUESTS_PER_SECOND = 10_000;
/** Simulated seconds; amounts are printed per second. */
const SECONDS = 0.5;
/** Writes that an item may take at once. */
const BURST = 10;
/** Runs take 10 to 30 ms, counted in requests that come meanwhile. */
const RUN = { min: 100, max: 300 };
const USERS = 500;
const ENVIRONMENTS = 40;
const RESERVED = { tokens: 1_000, costMicrodollars: 1_000 };
const SPENT = { tokens: 400, costMicrodollars: 400 };
/** Far more than a second can use. */
const AMPLE = 1_000_000_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);

interface Load {
  readonly what: string;
  readonly rateLimits: readonly RateLimit[];
  readonly usageLimits?: Organization['usageLimits'];
  readonly shards: number;
}

const LOADS: readonly Load[] = [
  {
    what: 'requests, user (500 users)',
    rateLimits: [{ metric: 'requests', scope: 'user', limit: AMPLE, period: '1m' }],
    shards: 1,
  },
  {
    what: 'tokens, user (500 users)',
    rateLimits: [{ metric: 'tokens', scope: 'user', limit: AMPLE, period: '1m' }],
    shards: 1,
  },
  {
    what: 'requests, total, 1 item',
    rateLimits: [{ metric: 'requests', scope: 'total', limit: AMPLE, period: '1m' }],
    shards: 1,
  },
  {
    what: 'requests, total, 20 items',
    rateLimits: [{ metric: 'requests', scope: 'total', limit: AMPLE, period: '1m' }],
    shards: 20,
  },
  {
    what: 'requests, user and total, 20 items',
    rateLimits: [
      { metric: 'requests', scope: 'user', limit: AMPLE, period: '1m' },
      { metric: 'requests', scope: 'total', limit: AMPLE, period: '1m' },
    ],
    shards: 20,
  },
  {
    what: 'tokens, total',
    rateLimits: [{ metric: 'tokens', scope: 'total', limit: AMPLE, period: '1m' }],
    shards: 20,
  },
  {
    what: 'requests, organization',
    rateLimits: [],
    usageLimits: [{ metric: 'requests', limit: AMPLE, period: 'day' }],
    shards: 20,
  },
  {
    what: 'requests, total, 20 items, room for 2,000',
    rateLimits: [{ metric: 'requests', scope: 'total', limit: 2_000 * SECONDS, period: '1m' }],
    shards: 20,
  },
];

/** The table, in Markdown. */
export async function simulateLimits(): Promise<string> {
  const rows: string[] = [];
  const { stackTraceLimit } = Error;
  // Nobody reads the stacks of 40,000 errors, which take half of the time.
  Error.stackTraceLimit = 0;
  try {
    for (const load of LOADS) rows.push(await simulate(load));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return [
    '| Rules | admitted | 429 | 503 | writes | writes of the busiest item | settlements lost |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

/** A settlement with the number of its failed tries. */
interface PendingSettlement {
  readonly settlement: Settlement;
  readonly tries: number;
}

function toTicks(milliseconds: number): number {
  return Math.floor((milliseconds * REQUESTS_PER_SECOND) / 1000);
}

async function simulate(load: Load): Promise<string> {
  const store = createLimitedStore();
  const random = createSeededRandom();
  const caches = Array.from({ length: ENVIRONMENTS }, () => createExhaustionCache());
  const due = new Map<number, readonly PendingSettlement[]>();
  const plan = (tick: number, pending: readonly PendingSettlement[]) =>
    void due.set(tick, [...(due.get(tick) ?? []), ...pending]);
  const ends = { admitted: 0, refused: 0, failed: 0, lost: 0 };
  const sleepers = new Map<number, (() => void)[]>();
  const clock: SimulationPorts['clock'] = {
    now: () => NOON_MS,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        const tick = store.tick + 1 + toTicks(milliseconds);
        sleepers.set(tick, [...(sleepers.get(tick) ?? []), wake]);
      }),
  };
  const lastTick = REQUESTS_PER_SECOND * SECONDS;
  // Requests that came in time and wait for another try still get it.
  for (let tick = 0; tick < lastTick || sleepers.size > 0; tick += 1) {
    store.tick = tick;
    for (const wake of sleepers.get(tick) ?? []) wake();
    sleepers.delete(tick);
    for (const { settlement, tries } of due.get(tick) ?? []) {
      await store.settle(settlement).catch(() => {
        const maxDelayMs = MAX_RETRY_DELAYS_MS[tries];
        if (maxDelayMs === undefined) ends.lost += 1;
        else plan(tick + 1 + toTicks(random.fraction() * maxDelayMs), [{ settlement, tries: tries + 1 }]);
      });
    }
    if (tick < lastTick) {
      const exhaustionCache = caches[tick % ENVIRONMENTS] ?? createExhaustionCache();
      const budget = openBudgetOf(load, tick, { store, clock, random, exhaustionCache });
      void admit(budget).then((end) => {
        ends[end] += 1;
        const lasts = RUN.min + Math.floor(random.fraction() * (RUN.max - RUN.min));
        plan(
          store.tick + lasts,
          budget.close().map((settlement) => ({ settlement, tries: 0 })),
        );
      });
    }
    await runPendingWork();
  }
  const writes = [...store.writes.values()];
  const all = sum(writes);
  const { admitted, refused: rejected, failed, lost } = ends;
  const cells = [admitted, rejected, failed, all, Math.max(...writes), lost];
  const perSecond = cells.map((cell) => Math.round(cell / SECONDS).toLocaleString('en-US'));
  return `| ${[load.what, ...perSecond].join(' | ')} |`;
}

/** Resolves after all callbacks that are ready have run. */
function runPendingWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function admit(budget: Budget): Promise<'admitted' | 'refused' | 'failed'> {
  try {
    await budget.admit(budget.limitsSpending ? RESERVED : undefined);
    if (budget.limitsSpending) (await budget.reserveAttempt(RESERVED)).settle(SPENT);
    return 'admitted';
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return thrown.code === 'overloaded' ? 'failed' : 'refused';
  }
}

interface SimulationPorts {
  readonly store: CounterStore;
  readonly clock: { now(): number; sleep(milliseconds: number): Promise<void> };
  readonly random: { fraction(): number };
  readonly exhaustionCache: ExhaustionCache;
}

function openBudgetOf(
  { rateLimits, usageLimits = [], shards }: Load,
  number: number,
  ports: SimulationPorts,
) {
  const caller = {
    authentication: 'jwt',
    username: `user-${number % USERS}`,
    keyId: undefined,
    sourceIp: '',
  } as const;
  const request = {
    neuronId: 'neuron',
    organizationId: 'organization',
    caller,
    timeMs: NOON_MS,
    runEndsAtMs: NOON_MS,
    defaultConcurrency: undefined,
    takesKeys: false,
    keyLimits: [],
  };
  return openBudget(planCounters({ ...request, rateLimits, usageLimits, shards }), {
    counters: ports.store,
    exhaustionCache: ports.exhaustionCache,
    clock: ports.clock,
    random: ports.random,
    settingsVersion: '1',
    timeMs: NOON_MS,
    retentionMs: 0,
    failOpen: false,
  });
}

/** Counters in memory whose items throttle. Writes that their condition rejects count too. */
function createLimitedStore() {
  const counters = createMemoryCounters();
  const writes = new Map<string, number>();
  const full = new Map<string, { readonly room: number; readonly tick: number }>();
  function write(key: string): void {
    const { room, tick } = full.get(key) ?? { room: BURST, tick: store.tick };
    const refilled = ((store.tick - tick) * WRITES_PER_ITEM) / REQUESTS_PER_SECOND;
    const now = Math.min(BURST, room + refilled);
    full.set(key, { room: now < 1 ? now : now - 1, tick: store.tick });
    if (now < 1) throw new CounterFailure('throttled');
    writes.set(key, (writes.get(key) ?? 0) + 1);
  }
  const store: CounterStore & { tick: number; readonly writes: ReadonlyMap<string, number> } = {
    /** The clock of the simulation: requests so far. */
    tick: 0,
    writes,
    read: counters.read,
    async reserve(request) {
      write(request.key);
      return counters.reserve(request);
    },
    async settle(settlement) {
      write(settlement.key);
      await counters.settle(settlement);
    },
  };
  return store;
}

/** mulberry32, which is even enough to choose items; the same numbers every time. */
function createSeededRandom(): { fraction(): number } {
  let state = 1;
  return {
    fraction() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

if (process.argv[1] === import.meta.filename) process.stdout.write(`${await simulateLimits()}\n`);
