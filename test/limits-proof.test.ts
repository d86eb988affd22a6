// The short form of `npm run prove:limits`: one process in place of eight, four environments in it, the embedded DynamoDB behind the lossy proxy.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../adapters/platform/clock.ts';
import type { CounterStore } from '../core/ports/counters.ts';
import { drive } from './concurrency/limits/drive.ts';
import { type LossyProxy, startLossyProxy } from './concurrency/limits/lossy-proxy.ts';
import { type CountingProvider, startCountingProvider } from './concurrency/limits/provider.ts';
import type { Scenario } from './concurrency/limits/scenario.ts';
import { SCENARIOS } from './concurrency/limits/scenarios.ts';
import { evaluateScenario, type RuleVerdict, UNEXPLAINED } from './concurrency/limits/verdict.ts';
import { startDynamoDb, type TestDynamoDb } from './support/dynamodb.ts';
import { createMemoryCounters } from './support/memory/counters.ts';

const SHORT = [
  'requests, user',
  'two rules, shards, across edges of windows',
  'two calls, a retry and a fallback',
  'answers of counter writes lost',
];
const ENVIRONMENTS = 4;

let database: TestDynamoDb;
let proxy: LossyProxy;
let provider: CountingProvider;

beforeAll(async () => {
  // As the local run does before it loads a bundle: the provider of the proof is on loopback.
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  for (const [name, value] of Object.entries({
    REGION: 'us-east-1',
    ACCESS_KEY_ID: 'l',
    SECRET_ACCESS_KEY: 'l',
  }))
    process.env[`AWS_${name}`] = value;
  database = await startDynamoDb();
  proxy = await startLossyProxy(() => database.endpoint);
  provider = await startCountingProvider();
});
afterAll(async () => {
  await provider?.stop();
  await proxy?.stop();
  await database?.stop();
});

/** What comes of the offers of a scenario, spread over environments. `change` puts other counters in place of the real ones. */
async function run(
  scenario: Scenario,
  index: number,
  change: (counters: CounterStore) => CounterStore = (counters) => counters,
): Promise<readonly RuleVerdict[]> {
  const { createPorts } = await import('./concurrency/limits/direct-ports.ts');
  const { createSender } = await import('./concurrency/limits/execute.ts');
  const at = { dynamodbUrl: proxy.url, table: database.tables.counters };
  const atMs = Math.floor(Date.now() / 60_000) * 60_000;
  const slug = `short-${randomUUID()}`;
  proxy.begin(scenario.loses);
  const outcomes = Array.from({ length: ENVIRONMENTS }, (_, own) => {
    const ports = createPorts(at, systemClock);
    const changed = { ...ports, counters: change(ports.counters) };
    const send = createSender(scenario, slug, provider.baseUrl, atMs, changed);
    const numbers = Array.from({ length: scenario.offers }, (__, number) => number);
    const isOwn = (number: number) => (number + Math.floor(number / ENVIRONMENTS)) % ENVIRONMENTS === own;
    return drive({ scenario, index, numbers: numbers.filter(isOwn) }, scenario.callers / ENVIRONMENTS, send);
  });
  const all = (await Promise.all(outcomes)).flat();
  const attempts = provider.takeAttempts();
  return evaluateScenario({ scenario, outcomes: all, attempts, losses: proxy.losses });
}

function find(name: string): readonly [Scenario, number] {
  const index = SCENARIOS.findIndex((one) => one.name === name);
  return [{ ...SCENARIOS[index]!, offers: 160, callers: 48 }, index];
}

test.each(SHORT)('limits hold exactly under concurrency: %s', async (name) => {
  const [scenario, index] = find(name);
  const rules = await run(scenario, index);
  for (const { rule, overshoot, cause } of rules) {
    expect(`${rule}: ${overshoot} beyond`).toBe(`${rule}: 0 beyond`);
    expect(cause).not.toBe(UNEXPLAINED);
  }
  expect(Math.min(...rules.map(({ admitted }) => admitted))).toBeGreaterThan(0);
  if (scenario.loses !== undefined) expect(proxy.losses.takes).toBeGreaterThan(0);
});

test('the proof fails where counters are read before they are written', async () => {
  const states = createMemoryCounters();
  const [scenario, index] = find('requests, user');
  const rules = await run(scenario, index, () => ({
    ...states,
    async reserve(request) {
      const seen = (await states.read([request.key])).get(request.key)?.counts.requests?.taken ?? 0;
      await sleep(5);
      const room = request.changes.every(({ taken, limit }) => seen + taken <= limit);
      return room
        ? states.reserve({ ...request, changes: request.changes.map((one) => ({ ...one, limit: 1e9 })) })
        : { reserved: false, state: undefined };
    },
  }));
  expect(rules[0]?.overshoot).toBeGreaterThan(0);
});

test('the proof fails where a limit is not reached for no reason', async () => {
  const [scenario, index] = find('requests, user');
  const states = createMemoryCounters();
  const rules = await run({ ...scenario, offers: 80 }, index, () => states);
  expect(rules).toMatchObject([{ admitted: 80, overshoot: 0, undershoot: 8, cause: UNEXPLAINED }]);
});
