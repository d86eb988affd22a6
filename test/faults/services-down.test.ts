// A service that hangs, drops, throttles or fails: who needs it is refused with 503, and who does not is served.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyAssembly } from '../e2e/support/assembly.ts';
import { expectError, expectRaw } from '../e2e/support/expect-answer.ts';
import { type FakeOpenai, startFakeOpenai } from '../e2e/support/fake-openai.ts';
import { applySettings, PROVIDER_KEY, scenarioSettings } from '../e2e/support/settings.ts';
import { isLocal, type Stack, startStack, TRANSFER_MODES, type TransferMode } from '../e2e/support/stack.ts';
import { outputOf, readOutputs } from '../e2e/support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Fault, type FaultyService, type ServiceCall, startFaultyService } from './faulty-service.ts';

describe.runIf(isLocal)('a service that is down', () => {
  let dataFolder: string;
  let provider: FakeOpenai;
  let tables: FaultyService;
  let secrets: FaultyService;
  let stack: Stack;

  beforeEach(async () => {
    dataFolder = temporaryFolder();
    provider = await startFakeOpenai();
    tables = await startFaultyService(() => readOutputs(dataFolder).endpoints.dynamodb);
    secrets = await startFaultyService(() => readOutputs(dataFolder).endpoints.secretsmanager);
  });
  afterEach(async () => {
    await stack?.stop();
    await Promise.all([tables.stop(), secrets.stop(), provider.stop()]);
  });

  /** A stack of its own for each test: what is in a function's memory would hide a fault. */
  async function start(transferMode: TransferMode = 'STREAM'): Promise<void> {
    stack = await startStack({
      assembly: await copyAssembly(transferMode),
      dataFolder,
      functionEndpoints: { dynamodb: tables.endpoint, secretsmanager: secrets.endpoint },
    });
    await applySettings(stack, scenarioSettings({ openaiUrl: provider.baseUrl, deadUrl: provider.baseUrl }));
  }

  const call = (neuron: string) => stack.call(`/acme/${neuron}?rawOutput=1`, { json: { input: 'Hello' } });

  function whenTable(name: string, fault: Fault): (call: ServiceCall) => Fault {
    const table = JSON.stringify(outputOf(dataFolder, name));
    return ({ body }) => (body.includes(table) ? fault : undefined);
  }

  it('without settings: 503, never 404 or 200, and service again as soon as they can be read', async () => {
    await start();
    for (const fault of ['hang', 'drop'] as const) {
      tables.injectFaults(whenTable('ConfigTable', fault));
      // One call that hangs takes seconds, and another would wait for its environment.
      const neurons = fault === 'hang' ? ['hello'] : ['hello', 'closed', 'unknown'];
      for (const answer of await Promise.all(neurons.map(call))) {
        expectError(answer, 503, 'dependency_unavailable');
      }
    }
    tables.injectFaults(() => undefined);
    expectRaw(await call('hello'), 'You said: Hello');
    expectError(await call('closed'), 403, 'access_closed');
    expectError(await call('unknown'), 404, 'not_found');
  });

  it('without the version: 503, and service again as soon as it can be read', async () => {
    await start();
    tables.injectFaults(({ operation }) => (operation === 'GetItem' ? 'throttle' : undefined));
    expectError(await call('hello'), 503, 'dependency_unavailable');
    tables.injectFaults(() => undefined);
    expectRaw(await call('hello'), 'You said: Hello');
  });

  it.each(TRANSFER_MODES)(
    'without the log, in %s transfer: callers are served and refused as ever, and every entry can be restored',
    async (transferMode) => {
      await start(transferMode);
      const ids: string[] = [];
      for (const fault of ['fail', 'hang'] as const) {
        tables.injectFaults(whenTable('LogsTable', fault));
        const [hello, closed, undeployed] = await Promise.all([
          call('hello'),
          call('closed'),
          call('undeployed'),
        ]);
        ids.push(expectRaw(hello, 'You said: Hello'));
        ids.push(expectError(closed, 403, 'access_closed'));
        ids.push(expectError(undeployed, 404, 'deployment_not_found'));
      }
      tables.injectFaults(() => undefined);
      await stack.stop();
      stack = await startStack({ dataFolder });
      await stack.operate(['logs', 'restore']);
      const entries = await stack.operate(['logs', 'acme', '--json']);
      for (const id of ids) expect(entries.split(id)).toHaveLength(2);
    },
  );

  it('without the key of the log’s hashes: callers are served, and no text is kept in its place', async () => {
    await start();
    secrets.injectFaults(() => 'fail');
    const id = expectRaw(await call('hello'), 'You said: Hello');
    await expect.poll(() => stack.operate(['logs', 'acme', '--json'])).toContain(id);
    const entry = JSON.parse(await stack.operate(['logs', 'acme', '--id', id, '--json']));
    expect(entry).toMatchObject({ outcome: 'success', trace: [{ type: 'callModel' }] });
    expect(JSON.stringify(entry)).not.toMatch(/Hello|"hash"/);
  });

  it('without the provider’s key: 503, not the 500 of a key that nobody has set', async () => {
    await start();
    await stack.operate(['secrets', 'set', 'acme', 'provider-key', '--for', 'providers'], {
      input: PROVIDER_KEY,
    });
    for (const fault of ['drop', 'fail'] as const) {
      secrets.injectFaults(() => fault);
      expectError(await call('ok'), 503, 'dependency_unavailable');
    }
    secrets.injectFaults(() => undefined);
    expectRaw(await call('ok'), 'heard: Hello');
  });
});
