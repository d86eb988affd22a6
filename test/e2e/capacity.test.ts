// More calls than there is room for: the stage's limit, Lambda's concurrency, and the local queue.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyAssembly, editTemplate, findResource, type Template } from './support/assembly.ts';
import type { Answer } from './support/call.ts';
import { expectError, expectRaw } from './support/expect-answer.ts';
import { applySettings, scenarioSettings } from './support/settings.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
const SETTINGS = scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE });
/** Requests of one method that the changed stage takes at once. */
const BURST = 20;

const times = (count: number, call: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, call));

/** A stage limit that a test can reach, and room for one run at a time. */
function narrow(template: Template): void {
  const stage = template.Resources[findResource(template, 'AWS::ApiGateway::Stage')];
  const settings = stage?.Properties?.['MethodSettings'] as Record<string, unknown>[] | undefined;
  Object.assign(settings?.[0] ?? {}, { ThrottlingBurstLimit: BURST, ThrottlingRateLimit: 2 });
  for (const { Type, Properties } of Object.values(template.Resources)) {
    const isExecution = JSON.stringify(Properties?.['Environment'] ?? {}).includes('COUNTERS_TABLE');
    if (Type === 'AWS::Lambda::Function' && isExecution)
      Object.assign(Properties ?? {}, { ReservedConcurrentExecutions: 1 });
  }
}

describe.runIf(isLocal).each(SOME_MODES)('in %s transfer', (transferMode) => {
  let stack: Stack;
  beforeAll(async () => {
    const assembly = await copyAssembly(transferMode);
    editTemplate(assembly, 'NeuronApi', narrow);
    stack = await startStack({ assembly });
    await applySettings(stack, SETTINGS);
  });
  afterAll(() => stack?.stop());

  it('refuses with 503 overloaded while no environment is free', async () => {
    const answers = await times(3, () => stack.call('/acme/slow?rawOutput=1', { json: { input: 'Hello' } }));
    const served = answers.filter(({ status }) => status === 200);
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(served).toHaveLength(1);
    for (const answer of served) expectRaw(answer, 'You said: Hello');
    for (const answer of rejected) expectError(answer, 503, 'overloaded');
  });

  it('refuses with 429 throttled beyond the limit of the stage, and no more than that', async () => {
    const answers = await times(3 * BURST, () => stack.call('/acme/locked/v1', { json: { input: 'Hello' } }));
    const rejected = answers.filter(({ status }) => status === 429);
    expect(rejected.length).toBeGreaterThanOrEqual(BURST);
    expect(answers.length - rejected.length).toBeGreaterThanOrEqual(BURST);
    for (const answer of rejected) expectError(answer, 429, 'throttled');
    // API Gateway answers these itself: the one environment of the execution function is no limit here.
    for (const answer of answers.filter((one) => !rejected.includes(one)))
      expectError(answer, 401, 'unauthorized');
  });
});

describe.runIf(isLocal)('with one environment and a full queue', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, concurrency: 1 });
  });
  afterAll(() => stack?.stop());
  afterEach(async () => {
    expectRaw(await stack.call('/acme/hello?rawOutput=1', { json: { input: 'alive' } }), 'You said: alive');
  });

  it('serves who got a place in time and refuses all others with 503 overloaded', async () => {
    const answers = await times(300, () =>
      stack.call('/acme/slow?rawOutput=1', { json: { input: 'Hello' } }),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThanOrEqual(2);
    for (const answer of served) expectRaw(answer, 'You said: Hello');
    for (const answer of answers.filter((one) => !served.includes(one)))
      expectError(answer, 503, 'overloaded');
  });
});
