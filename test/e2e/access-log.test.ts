// Refusals in the log: each with its reason and its caller, and a flood as a count.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessStack, plantKeyring, readNeuron, startAccessStack } from './support/access-stack.ts';
import type { Answer } from './support/call.ts';
import { expectError } from './support/expect-answer.ts';
import { isLocal } from './support/stack.ts';
import { dumpTable, outputOf } from './support/tables.ts';

const FLOW = 'flow: [{ serveOutput: { text: in } }]';
const SETTINGS = [
  'organization: acme',
  ...[
    ['flooded', '{ apiKey: true }'],
    ['keyed', '{ apiKey: true }'],
    ['pages', '{ referers: [app.example.com] }'],
    ['office', '{ ips: [203.0.113.7] }'],
    ['closed', '{}'],
  ].map(([name, access]) => `neuron: acme/${name}\naccess: ${access}\n${FLOW}`),
].join('\n---\n');

const FLOOD = 200;

interface Entry {
  readonly executionId: string;
  readonly neuron: string;
  readonly timeMs: number;
  readonly count: number;
  readonly [field: string]: unknown;
}

describe.runIf(isLocal)('refusals', () => {
  let access: AccessStack;
  let headers: Awaited<ReturnType<typeof plantKeyring>>;
  beforeAll(async () => {
    // One environment: the budget is that of each.
    access = await startAccessStack({ settings: SETTINGS, concurrency: 1 });
    const { organization, neuron } = await readNeuron(access.store, 'acme', 'closed');
    headers = await plantKeyring(access.keys, { organizationId: organization.id, otherNeuronId: neuron.id });
  });
  afterAll(() => access?.stop());

  const call = (neuron: string, sent: Readonly<Record<string, readonly string[]>> = {}): Promise<Answer> =>
    access.stack.call(`/acme/${neuron}`, { json: { input: 'a text of the caller' }, headers: sent });

  async function readEntries(neuron: string): Promise<Entry[]> {
    const items = await dumpTable(access.client, outputOf(access.dataFolder, 'LogsTable'));
    const entries = items.map((item) => JSON.parse(item) as Entry);
    // Changes by operators are in the same table, and name their neuron too.
    return entries.filter((entry) => entry.neuron === neuron && entry['executionId'] !== undefined);
  }

  async function entryOf(neuron: string, answer: Answer): Promise<Entry | undefined> {
    const id = answer.headers['x-execution-id'];
    await expect.poll(() => readEntries(neuron)).toContainEqual(expect.objectContaining({ executionId: id }));
    return (await readEntries(neuron)).find(({ executionId }) => executionId === id);
  }

  const minuteOf = (timeMs: number) => Math.floor(timeMs / 60_000);
  let floodedAtMs = 0;

  it('in a flood have 60 entries a minute, in the table and on standard output, whatever else is refused', async () => {
    // Early in a minute, so that all of them are in one.
    while (new Date().getUTCSeconds() > 35) await new Promise((resolve) => setTimeout(resolve, 250));
    for (let index = 0; index < FLOOD; index += 1) {
      expectError(await call('flooded'), 401, 'unauthorized');
    }
    await expect.poll(async () => (await readEntries('flooded')).length).toBe(60);
    const entries = await readEntries('flooded');
    expect(new Set(entries.map(({ timeMs }) => minuteOf(timeMs))).size).toBe(1);
    expect(entries.every(({ count }) => count === 1)).toBe(true);
    expect(linesOf(access.dataFolder, 'flooded')).toHaveLength(60);
    floodedAtMs = entries[0]?.timeMs ?? 0;
    // Another neuron has a budget of its own.
    const other = await call('closed');
    expect(await entryOf('closed', other)).toMatchObject({ code: 'access_closed', count: 1 });
  });

  it.each([
    ['absent', 'the request carries no Authorization header'],
    ['doubled', 'the request carries more than one Authorization header'],
    ['notBearer', 'the Authorization header holds no bearer token'],
    ['malformed', 'the API key is malformed'],
    ['unknown', 'the API key is unknown'],
    ['revoked', 'the API key is revoked'],
    ['expired', 'the API key has expired'],
    ['otherNeuron', 'the API key is not for this neuron'],
    ['otherOrganization', 'the API key belongs to another organization'],
  ] as const)('of a credential that is %s say so', async (kind, reason) => {
    const authorization = headers[kind];
    const answer = await call('keyed', authorization.length === 0 ? {} : { authorization });
    expectError(answer, 401, 'unauthorized');
    const entry = await entryOf('keyed', answer);
    const keyId = authorization[0]?.slice('Bearer nrn_'.length, 'Bearer nrn_'.length + 12);
    // What belongs to this organization is named by its id; nothing else is.
    const isOwn = ['revoked', 'expired', 'otherNeuron'].includes(kind);
    expect(entry).toMatchObject({
      outcome: 'refused',
      status: 401,
      code: 'unauthorized',
      reason,
      sourceIp: '127.0.0.1',
      ...(isOwn ? { keyId } : {}),
    });
    if (!isOwn && keyId !== undefined) expect(JSON.stringify(entry)).not.toContain(keyId);
    for (const header of authorization) expect(JSON.stringify(entry)).not.toContain(header.slice(-20));
    expect(JSON.stringify(entry)).not.toContain('a text of the caller');
    expect(entry).not.toHaveProperty('authentication');
  });

  it.each([
    [
      'pages',
      ['https://attacker.example/path?secret=1'],
      'attacker.example',
      "the Referer's host attacker.example is not listed",
    ],
    ['pages', ['nonsense'], undefined, 'the Referer is not the URL of a web page'],
    [
      'pages',
      ['https://app.example.com/', 'https://app.example.com/'],
      undefined,
      'the request carries more than one Referer',
    ],
    ['office', ['https://app.example.com/'], 'app.example.com', '127.0.0.1 is not listed'],
  ] as const)(
    'at %s of %j say so, with the host of the page and not its path',
    async (neuron, referer, host, reason) => {
      const answer = await call(neuron, { referer });
      expect(answer.status).toBe(403);
      const entry = await entryOf(neuron, answer);
      expect(entry).toMatchObject({ outcome: 'refused', status: 403, reason });
      expect(entry?.['refererHost']).toBe(host);
      expect(JSON.stringify(entry)).not.toContain('secret');
    },
  );

  it('never say to the caller which it was', async () => {
    const answers = await Promise.all(
      (
        ['absent', 'unknown', 'revoked', 'expired', 'otherOrganization', 'otherNeuron', 'malformed'] as const
      ).map((kind) => call('keyed', headers[kind].length === 0 ? {} : { authorization: headers[kind] })),
    );
    const seen = answers.map(({ status, headers: { date: _date, 'x-execution-id': id, ...others }, text }) =>
      JSON.stringify([status, Object.keys(others).toSorted(), text.replace(String(id), '')]),
    );
    expect(new Set(seen).size).toBe(1);
  });

  it('that had no entry of their own are counted in one, which the first request after their minute leaves', async () => {
    await expect
      .poll(() => minuteOf(Date.now()), { timeout: 70_000, interval: 250 })
      .toBeGreaterThan(minuteOf(floodedAtMs));
    expectError(await call('closed'), 403, 'access_closed');
    await expect.poll(async () => (await readEntries('flooded')).length).toBe(61);
    const counted = (await readEntries('flooded')).filter(({ count }) => count > 1);
    expect(counted).toMatchObject([{ count: FLOOD - 60, status: 401, code: 'unauthorized' }]);
    expect(minuteOf(counted[0]?.timeMs ?? 0)).toBe(minuteOf(floodedAtMs));
    expect(linesOf(access.dataFolder, 'flooded')).toHaveLength(61);
    const shown = await access.stack.operate(['logs', 'acme/flooded', '--json']);
    expect(shown).toContain(`"count":${FLOOD - 60}`);
  }, 150_000);
});

/** The lines that stand for entries of a neuron. */
function linesOf(dataFolder: string, neuron: string): string[] {
  const files = readdirSync(join(dataFolder, 'logs'), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .flatMap((file) => readFileSync(join(file.parentPath, file.name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{"neuronEntry":') && line.includes(`"neuron":"${neuron}"`));
}
