// The audit trail: each call leaves one entry that says what happened, and no text where none may be kept.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { scenarioSettings } from './support/settings.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';
import { dumpTable, openTables, outputOf } from './support/tables.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';

describe.each(SOME_MODES)('in %s transfer', (transferMode) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      transferMode,
      settings: scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE }),
    });
  });
  afterAll(() => stack?.stop());

  const call = (path: string, body: unknown = { input: 'Hello' }) => stack.call(path, { json: body });
  const idOf = ({ headers }: Answer) => String(headers['x-execution-id']);

  /** How many entries are stored: looked at directly where that can be, since the command takes a second. */
  const count = async (): Promise<number> => {
    if (!isLocal) return (await list()).length;
    const client = openTables(stack.dataFolder);
    const items = await dumpTable(client, outputOf(stack.dataFolder, 'LogsTable'));
    client.destroy();
    return items.length;
  };

  async function list(): Promise<Record<string, unknown>[]> {
    const lines = await stack.operate(['logs', 'acme', '--json']);
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('has one entry for each call, with its outcome, status and code', async () => {
    const expected = [
      [await call('/acme/hello'), { outcome: 'success', status: 200, neuron: 'hello', version: 'v1' }],
      [await call('/acme/hello?rawOutput=1'), { outcome: 'success', status: 200 }],
      [await call('/acme/stopped'), { outcome: 'stopped', status: 200, neuron: 'stopped' }],
      [
        await stack.call('/acme/hello', { body: '{' }),
        { outcome: 'refused', status: 400, code: 'malformed_json' },
      ],
      [await call('/acme/hello', { input: 7 }), { outcome: 'refused', status: 422, code: 'invalid_input' }],
      [await call('/acme/hello?rawOutput=x'), { outcome: 'refused', status: 422, code: 'invalid_parameter' }],
      [
        await call('/acme/closed'),
        { outcome: 'refused', status: 403, code: 'access_closed', neuron: 'closed' },
      ],
      [await call('/acme/undeployed'), { outcome: 'refused', status: 404, code: 'deployment_not_found' }],
      [await call('/acme/hello/v1'), { outcome: 'refused', status: 404, code: 'revision_not_found' }],
      [await call('/acme/dead'), { outcome: 'failed', status: 503, code: 'upstream_unavailable' }],
      [await call('/acme/unset'), { outcome: 'failed', status: 500, code: 'configuration' }],
      [await call('/acme/impatient'), { outcome: 'failed', status: 503, code: 'deadline_exceeded' }],
    ] as const;
    // What there is no neuron or no route for is in the access log of API Gateway only.
    const unlogged = [
      await call('/acme/unknown'),
      await call('/nobody/hello'),
      await stack.call('/acme', { method: 'GET' }),
    ];
    await expect.poll(count).toBeGreaterThanOrEqual(expected.length);
    const entries = await list();
    for (const [answer, fields] of expected) {
      const own = entries.filter(({ executionId }) => executionId === idOf(answer));
      expect(own).toHaveLength(1);
      expect(own[0]).toMatchObject({ ...fields, organization: 'acme', restored: false, count: 1 });
    }
    expect(entries.filter(({ executionId }) => unlogged.map(idOf).includes(String(executionId)))).toEqual([]);
    expect(entries).toHaveLength(expected.length);
  });

  it('shows calls in a table, and one in full with its trace', async () => {
    const before = await count();
    const answer = await call('/acme/instructed');
    await expect.poll(count).toBe(before + 1);
    expect(await stack.operate(['logs', 'acme/instructed'])).toContain(idOf(answer));
    const shown = await stack.operate(['logs', 'acme', '--id', idOf(answer), '--json']);
    expect(JSON.parse(shown)).toMatchObject({
      executionId: idOf(answer),
      sourceIp: expect.stringMatching(/^[0-9a-f.:]+$/),
      authentication: 'public',
      // 27 bytes, a token for every four of them.
      tokensOutput: 7,
      // The echo provider asks nobody and costs nothing.
      costMicrodollars: 0,
      modelCalls: [{ provider: 'demo', model: 'echo-1', attempts: 1 }],
      trace: [{ type: 'systemInstructions' }, { type: 'callModel' }],
    });
  });

  it('leaves two entries for two requests with the same X-Amzn-RequestId', async () => {
    const before = await count();
    const headers = {
      'x-amzn-requestid': 'chosen-by-the-caller',
      'x-amz-request-id': 'chosen',
      'x-execution-id': 'chosen',
    };
    const answers = [
      await stack.call('/acme/served', { json: { input: '1' }, headers }),
      await stack.call('/acme/served', { json: { input: '2' }, headers }),
    ];
    const ids = new Set(answers.map(idOf));
    expect(ids.size).toBe(2);
    await expect.poll(count).toBe(before + 2);
    expect((await list()).filter(({ executionId }) => ids.has(String(executionId)))).toHaveLength(2);
  });

  it.runIf(isLocal)('keeps texts as the neuron says: in full, as a hash, or not at all', async () => {
    const before = await count();
    const say = (word: string) => ({ input: `the word ${word}` });
    await call('/acme/full', say('quokka'));
    const hashed = await call('/acme/hashed', say('numbat'));
    await call('/acme/hello', say('bilby'));
    await call('/acme/unlogged', say('wombat'));
    await call('/acme/hello', { input: ['dingo'] });
    await stack.call('/acme/hello', { body: '{"input":"potoroo' });
    await expect.poll(count).toBe(before + 6);
    const stored = await dumpAll(stack.dataFolder);
    expect(stored).toContain('the word quokka');
    const files = filesBelow(stack.dataFolder).map((file) => readFileSync(file).toString('latin1'));
    for (const word of ['numbat', 'bilby', 'wombat', 'dingo', 'potoroo']) {
      expect(stored).not.toContain(word);
      expect(files.filter((text) => text.includes(word))).toEqual([]);
    }
    // The line that stands for an entry holds no text, whatever the neuron says.
    const printed = filesBelow(join(stack.dataFolder, 'logs')).map((file) => readFileSync(file, 'utf8'));
    expect(printed.join('')).toContain('neuronEntry');
    expect(printed.join('')).not.toContain('quokka');
    const entry = JSON.parse(await stack.operate(['logs', 'acme', '--id', idOf(hashed), '--json']));
    expect(entry.input).toEqual({
      kind: 'hash',
      bytes: 15,
      hash: expect.stringMatching(/^[\w-]{43}$/),
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(entry.output).toMatchObject({ kind: 'hash', bytes: 25 });
  });
});

/** Every item of every table. */
async function dumpAll(dataFolder: string): Promise<string> {
  const client = openTables(dataFolder);
  const names = ['Config', 'Keys', 'Counters', 'Cache', 'Logs', 'Usage'].map((name) =>
    outputOf(dataFolder, `${name}Table`),
  );
  const items = await Promise.all(names.map((name) => dumpTable(client, name)));
  client.destroy();
  return items.flat().join('\n');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
