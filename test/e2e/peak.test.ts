// A burst of twice the peak, on the template of production: callers beyond the throttle get 429, and none gets 503.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../lib/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const CALLS_PER_SECOND = 10;
const SECONDS = 4;

const SETTINGS = `organization: acme
providers:
  demo: { type: echo }
---
neuron: acme/hello
access: { public: true }
rateLimits: [{ metric: requests, scope: total, limit: 100000, period: 1h }]
flow:
  - callModel: { provider: demo, model: echo-1 }
`;

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

/** Production with a small peak, as any machine can hold it. */
function synthesize(): string {
  const assembly = join(temporaryFolder(), 'cdk');
  const peak = { callsPerSecond: CALLS_PER_SECOND, secondsPerCall: 0.2 };
  buildApp({ stage: 'prod', overrides: { peak, organizationConcurrency: 10 }, outdir: assembly }).synth();
  return assembly;
}

/** Statuses of calls that come twice as fast as the peak. */
async function callTwiceAsFast(assembly: string): Promise<number[]> {
  const running = await startStack({ assembly });
  stack = running;
  const file = join(temporaryFolder(), 'settings.yaml');
  writeFileSync(file, SETTINGS);
  await running.operate(['apply', file]);
  const call = async () => (await running.call('/acme/hello', { json: { input: 'Hello' } })).status;
  expect(await call()).toBe(200);
  // Until the bucket is full again.
  await sleep(1000);
  const statuses: Promise<number>[] = [];
  for (let sent = 0; sent < 2 * CALLS_PER_SECOND * SECONDS; sent += 1) {
    const status = call();
    // It is awaited below; until then a connection that breaks would be an error of the whole run.
    status.catch(() => undefined);
    statuses.push(status);
    await sleep(1000 / (2 * CALLS_PER_SECOND));
  }
  return Promise.all(statuses);
}

describe.runIf(isLocal)('twice the peak of production', () => {
  it('is answered 200 or 429, never 503', { timeout: 120_000 }, async () => {
    const statuses = await callTwiceAsFast(synthesize());
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(
      CALLS_PER_SECOND * SECONDS,
    );
  });

  it('is answered 503 where more requests are admitted than ten a second for each environment of the authorizer', {
    timeout: 120_000,
  }, async () => {
    const assembly = synthesize();
    const file = join(assembly, 'NeuronApi-prod.template.json');
    const template = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly Resources: Readonly<Record<string, { readonly Properties: Record<string, unknown> }>>;
    };
    for (const [id, { Properties }] of Object.entries(template.Resources)) {
      if (/^AuthorizerServiceFunction[0-9A-F]{8}$/.test(id)) Properties['ReservedConcurrentExecutions'] = 1;
      for (const method of (Properties['MethodSettings'] ?? []) as Record<string, unknown>[])
        Object.assign(method, { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 });
    }
    writeFileSync(file, JSON.stringify(template));
    expect(await callTwiceAsFast(assembly)).toContain(503);
  });
});
