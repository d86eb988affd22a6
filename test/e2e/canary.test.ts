// Secrets are planted, every way to fail is driven, and no byte that the stack has kept, printed or answered holds one of them.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configKeys } from '../../adapters/dynamodb/config-items.ts';
import { ERROR_CODES } from '../../core/contract/error-codes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type AccessStack, readNeuron, startAccessStack } from './support/access-stack.ts';
import { editTemplate } from './support/assembly.ts';
import type { Answer } from './support/call.ts';
import { findLeaks, readFolder, type Searched } from './support/canaries.ts';
import {
  type Send,
  sendBadRequests,
  sendBeyondLimits,
  sendCredentials,
  sendFailingRuns,
  sendFeedback,
  sendIdempotent,
  sendWhileClosed,
} from './support/canary-calls.ts';
import { runCommands } from './support/canary-commands.ts';
import { type Planted, plantSecrets } from './support/canary-planted.ts';
import { canarySettings } from './support/canary-settings.ts';
import { ENGINE, isLocal, SOME_MODES, startStack } from './support/stack.ts';
import { dumpTable, openTables, outputOf } from './support/tables.ts';
import { startTelltaleProvider, type TelltaleProvider } from './support/telltale-provider.ts';

/** Runs at once: more than callers who come one after the other ever need, and few enough to be exceeded. */
const ROOM = 4;
/** Kept on purpose, in full: what a scan must find if it sees anything at all. */
const KEPT = 'a text that the neuron full keeps on purpose';
/** Made by API Gateway from a constant; and of an answer that is older than a minute at least. */
const NOT_DRIVEN = ['feedback_too_late', 'throttled'];

// dynalite packs its files, so that nobody could see a secret in them.
describe.runIf(isLocal && ENGINE === 'dynoxide').each(SOME_MODES)('in %s transfer', (transferMode) => {
  let provider: TelltaleProvider;
  let access: AccessStack;
  let planted: Planted;
  const answers: Answer[] = [];
  const commands: Searched[] = [];
  let kept: Searched[];

  beforeAll(async () => {
    provider = await startTelltaleProvider();
    access = await startAccessStack({
      transferMode,
      concurrency: ROOM,
      keepData: true,
      settings: canarySettings(provider.baseUrl),
      edit: (assembly) =>
        editTemplate(assembly, 'NeuronApi', (template) => reserve(template.Resources, ROOM)),
    });
    planted = await plantSecrets(access);
    await breakVersions(access);
    const waitForTurn = createPace();
    const send: Send = async (path, options) => {
      await waitForTurn();
      const answer = await access.stack.call(path, options);
      answers.push(answer);
      return answer;
    };
    await sendBadRequests(send, planted);
    await sendFeedback(send, planted);
    await sendIdempotent(send, planted);
    await sendCredentials(send, planted);
    await sendBeyondLimits(send, planted);
    await sendFailingRuns(send, access, planted);
    await sendWhileClosed(send, access, planted);
    await send('/acme/full', { json: { input: KEPT } });
    for (const { stdout, stderr } of await runCommands(access, planted)) {
      commands.push({ name: 'a command', bytes: Buffer.from(`${stdout}\n${stderr}`) });
    }
    await vi.waitFor(async () => expect((await dumpAll(access.dataFolder)).join('')).toContain(KEPT), 20_000);
    const items = (await dumpAll(access.dataFolder)).map((item) => ({
      name: 'a table',
      bytes: Buffer.from(item),
    }));
    await access.stack.stop();
    kept = [
      ...items,
      ...readFolder(access.dataFolder, (path) => path.startsWith('secrets/')),
      ...readFolder(access.assembly),
      { name: 'what the runner printed', bytes: Buffer.from(access.stack.output()) },
    ];
  }, 400_000);
  afterAll(async () => {
    await access?.stop();
    await provider?.stop();
  });

  it('drives every error there is', () => {
    const seen = new Set(answers.filter(({ status }) => status !== 200).map((answer) => codeOf(answer)));
    const missing = Object.keys(ERROR_CODES).filter((code) => !seen.has(code));
    expect(missing.toSorted()).toEqual(NOT_DRIVEN);
    // The provider has seen its key, or nothing could have leaked from it.
    expect([...provider.keys]).toEqual([`Bearer ${planted.providerKey}`]);
  });

  it('leaves no secret and no prompt in tables, files, standard output or template', () => {
    expect(kept.length).toBeGreaterThan(20);
    expect(findLeaks([...planted.secrets, ...planted.texts], kept)).toEqual([]);
  });

  it('tells no caller and no operator a secret, and no caller of an error a prompt', () => {
    const asSearched = (answer: Answer) => ({
      name: `an answer ${answer.status} ${answer.text.slice(0, 80)}`,
      bytes: Buffer.from(`${JSON.stringify(answer.headers)}\n${answer.text}`),
    });
    expect(findLeaks(planted.secrets, [...answers.map(asSearched), ...commands])).toEqual([]);
    const errors = answers.filter(({ status }) => status !== 200);
    expect(findLeaks(planted.texts, [...errors.map(asSearched), ...commands])).toEqual([]);
  });

  it('would find them: the same scan finds what is kept on purpose, in files and tables', () => {
    const leaks = findLeaks([{ name: 'the kept text', value: KEPT }], kept);
    expect(leaks.some((leak) => leak.endsWith('dynamodb.sqlite') || leak.includes('-wal'))).toBe(true);
    expect(leaks).toContain('the kept text (as it is) in a table');
    const prefix = planted.apiKeys.valid.slice(0, 16);
    expect(findLeaks([{ name: 'the public prefix', value: prefix }], kept)).not.toEqual([]);
  });

  it('refuses a leak that is added by hand: to a table, to what a function prints, to the template', async () => {
    const { apiKeys, providerKey, prompt, secrets, texts } = planted;
    const folder = join(temporaryFolder(), 'data');
    cpSync(access.dataFolder, folder, { recursive: true });
    const again = await startStack({ assembly: access.assembly, dataFolder: folder });
    const client = openTables(folder);
    const item = { pk: 'x', sk: 'x', executionId: 'x', note: `the token was ${apiKeys.valid}` };
    await client.send(new PutCommand({ TableName: outputOf(folder, 'LogsTable'), Item: item }));
    client.destroy();
    await again.stop();
    writeFileSync(
      join(folder, 'logs', 'leak.log'),
      `{"detail":"${Buffer.from(`k=${providerKey}`).toString('base64')}"}\n`,
    );
    writeFileSync(join(folder, 'x.template.json'), `{"Environment":{"PROMPT":"${prompt.slice(10, 30)}"}}`);
    const leaks = findLeaks(
      [...secrets, ...texts],
      readFolder(folder, (path) => path.startsWith('secrets/')),
    );
    const files = leaks.map((leak) => leak.replace(/ in .*\//, ' in '));
    expect(files).toContain('the valid key (as it is) in dynamodb.sqlite');
    expect(files).toContain('the key of the provider (base64) in leak.log');
    expect(files).toContain('a prompt (as it is) in x.template.json');
    expect(findLeaks(secrets, readFolder(join(folder, 'secrets')))).not.toEqual([]);
  }, 120_000);
});

/** One version is gone, and the flow of another cannot be read. */
async function breakVersions({ store, client, dataFolder }: AccessStack): Promise<void> {
  const TableName = outputOf(dataFolder, 'ConfigTable');
  const keyOf = async (slug: string) =>
    configKeys.version('acme', (await readNeuron(store, 'acme', slug)).neuron.id, 'v1');
  await client.send(new DeleteCommand({ TableName, Key: await keyOf('gone') }));
  await client.send(
    new UpdateCommand({
      TableName,
      Key: await keyOf('broken'),
      UpdateExpression: 'SET flow = :flow',
      ExpressionAttributeValues: { ':flow': 'not a flow' },
    }),
  );
}

/**
 * Lambda takes ten calls a second for each reserved environment, with as many in store. A call beyond them gets an error of the API, not that
 * which it is sent for: on a machine that has nothing else to do, or with many calls in one process, they come that fast.
 */
function createPace(): () => Promise<void> {
  const everyMs = 1_000 / (8 * ROOM);
  const inStoreMs = 300;
  let turnMs = performance.now();
  return async () => {
    turnMs = Math.max(turnMs + everyMs, performance.now() - inStoreMs);
    await sleep(Math.max(0, turnMs - performance.now()));
  };
}

/** Room for so many runs at once. */
function reserve(
  resources: Readonly<Record<string, { Type: string; Properties?: Record<string, unknown> }>>,
  most: number,
) {
  for (const { Type, Properties } of Object.values(resources)) {
    const isExecution = JSON.stringify(Properties?.['Environment'] ?? {}).includes('COUNTERS_TABLE');
    if (Type === 'AWS::Lambda::Function' && isExecution)
      Object.assign(Properties ?? {}, { ReservedConcurrentExecutions: most });
  }
}

async function dumpAll(dataFolder: string): Promise<string[]> {
  const client = openTables(dataFolder);
  const names = ['Config', 'Keys', 'Counters', 'Cache', 'Logs', 'Usage'];
  const items = await Promise.all(
    names.map((name) => dumpTable(client, outputOf(dataFolder, `${name}Table`))),
  );
  client.destroy();
  return items.flat();
}

/** In the service's own form, or in OpenAI's. */
function codeOf(answer: Answer): unknown {
  const { code, error } = answer.json();
  return code ?? (error as { readonly code?: unknown } | undefined)?.code;
}
