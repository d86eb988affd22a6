// What operators set acts on callers: pause, maintenance, a deployment that is gone.
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectSuccess } from './support/expect-answer.ts';
import { scenarioSettings } from './support/settings.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';
import { openTables, outputOf } from './support/tables.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
const HELLO = { output: 'You said: Hello', fromCache: false, executionStopped: false };

describe.each(SOME_MODES)('in %s transfer', (transferMode) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      transferMode,
      settings: scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE }),
    });
  });
  afterAll(() => stack?.stop());

  const call = (neuron: string) => stack.call(`/acme/${neuron}`, { json: { input: 'Hello' } });
  /** Settings act after a while: as long as the stage says, and twice that while two environments read them. */
  const eventually = (neuron: string, status: number) =>
    expect.poll(async () => (await call(neuron)).status).toBe(status);

  it('a pause refuses with 429 and its Retry-After, and ends', async () => {
    await stack.operate(['organization', 'pause', 'acme', '--retry-after', '2m']);
    await eventually('hello', 429);
    expectError(await call('hello'), 429, 'organization_paused', 120);
    expectError(await call('closed'), 403, 'access_closed');
    await stack.operate(['organization', 'resume', 'acme']);
    await eventually('hello', 200);
  });

  it('maintenance refuses with 503 and its Retry-After, and ends', async () => {
    await stack.operate(['maintenance', 'on', '--retry-after', '90s']);
    await eventually('hello', 503);
    expectError(await call('hello'), 503, 'maintenance', 90);
    expectError(await call('unknown'), 404, 'not_found');
    await stack.operate(['maintenance', 'off']);
    await eventually('hello', 200);
    expectSuccess(await call('hello'), HELLO);
  });

  it.runIf(isLocal)('a deployed version that is gone answers 500 missing_deployment', async () => {
    const table = outputOf(stack.dataFolder, 'ConfigTable');
    const client = openTables(stack.dataFolder);
    const pk = 'ORG#acme';
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: { pk, sk: 'NEURON#missing' } }),
    );
    const sk = `VERSION#${Item?.['id']}#v1`;
    const { Attributes } = await client.send(
      new DeleteCommand({ TableName: table, Key: { pk, sk }, ReturnValues: 'ALL_OLD' }),
    );
    expect(Attributes).toMatchObject({ id: 'v1' });
    client.destroy();
    expectError(await call('missing'), 500, 'missing_deployment');
    expectSuccess(await call('hello'), HELLO);
  });
});
