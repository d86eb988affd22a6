// API keys over their life: revoked for the very next request, bound to ids, and no dearer when there are thousands of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../core/access/api-key.ts';
import type { ServiceCall } from '../faults/faulty-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type AccessStack, plantKey, readNeuron, startAccessStack } from './support/access-stack.ts';
import type { Answer } from './support/call.ts';
import { expectError, expectRaw } from './support/expect-answer.ts';
import { isLocal } from './support/stack.ts';
import { outputOf } from './support/tables.ts';

const FLOW = 'flow: [{ serveOutput: { text: in } }]';
const keyed = (name: string) => `neuron: ${name}\naccess: { apiKey: true }\n${FLOW}`;
const ORGANIZATION = ['organization: acme', keyed('acme/keyed'), keyed('acme/other')].join('\n---\n');
const SETTINGS = [ORGANIZATION, 'organization: shop', keyed('shop/keyed')].join('\n---\n');

/** Let in: the answer of the flow, with the receipt that callers with an API key get. */
const expectIn = (answer: Answer) => expectRaw(answer, 'in', false, true);

describe.runIf(isLocal)('API keys', () => {
  let access: AccessStack;
  beforeAll(async () => {
    // One environment of each function: whatever it remembers, the next request meets.
    access = await startAccessStack({ settings: SETTINGS, concurrency: 1 });
  });
  afterAll(() => access?.stop());

  const call = (name: string, key: string): Promise<Answer> =>
    access.stack.call(`/${name}?rawOutput=1`, {
      json: { input: 'Hello' },
      headers: { authorization: `Bearer ${key}` },
    });
  const create = async (...words: string[]) =>
    (await access.stack.operate(['keys', 'create', ...words, '--name', 'a test'])).trim();
  const list = async (organization: string) =>
    (await access.stack.operate(['keys', 'list', organization, '--json']))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const apply = async (settings: string) => {
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(file, settings);
    await access.stack.operate(['apply', file]);
  };
  const idOf = async (organization: string) =>
    (await readNeuron(access.store, organization, 'keyed')).organization.id;

  it('hold from the request after their making on, and are refused by the very next one after their revocation', async () => {
    const key = await create('acme');
    expectIn(await call('acme/keyed', key));
    await access.stack.operate(['keys', 'revoke', 'acme', key.slice(4, 16)]);
    expectError(await call('acme/keyed', key), 401, 'unauthorized');
  });

  it('are refused by the very next request fifty times over', async () => {
    const organizationId = await idOf('acme');
    // Sixty refusals a minute have an entry each: more of them would leave a count for a later test to find.
    for (let round = 0; round < 50; round += 1) {
      const { key, keyId } = await plantKey(access.keys, organizationId);
      expectIn(await call('acme/other', key));
      expect(await access.keys.revoke(organizationId, keyId, new Date().toISOString())).toBe('revoked');
      expectError(await call('acme/other', key), 401, 'unauthorized');
    }
  });

  it('expire in the middle of things', async () => {
    const key = await create('acme', '--expires', '2s');
    await expect.poll(async () => (await call('acme/keyed', key)).status).toBe(401);
    expect(await list('acme')).toContainEqual(
      expect.objectContaining({ prefix: key.slice(0, 16), revokedAt: null }),
    );
  });

  it('keep their id and their limits when they are rotated under load, and no call fails', async () => {
    const key = await create('acme', '--limit', 'requests 60 day');
    const keyId = key.slice(4, 16);
    const answers = Array.from({ length: 30 }, () => call('acme/keyed', key));
    const rotate = ['keys', 'rotate', 'acme', keyId, '--overlap', '1h'];
    const next = (await access.stack.operate(rotate)).trim();
    expect(next).toMatch(new RegExp(`^nrn_${keyId}_`));
    for (const answer of await Promise.all(answers)) expectIn(answer);
    for (let round = 0; round < 15; round += 1) {
      expectIn(await call('acme/keyed', key));
      expectIn(await call('acme/keyed', next));
    }
    expectError(await call('acme/keyed', next), 429, 'usage_limit_exceeded');
    expectError(await call('acme/keyed', key), 429, 'usage_limit_exceeded');
    await access.stack.operate(['keys', 'update', 'acme', keyId, '--clear-limits']);
    expectIn(await call('acme/keyed', key));
    const last = (await access.stack.operate([...rotate.slice(0, -1), '0s'])).trim();
    expectIn(await call('acme/keyed', last));
    expectError(await call('acme/keyed', next), 401, 'unauthorized');
    await access.stack.operate(['keys', 'revoke', 'acme', keyId]);
    for (const text of [key, next, last]) expectError(await call('acme/keyed', text), 401, 'unauthorized');
  });

  it('follow their end date when it is moved', async () => {
    const key = await create('acme', '--expires', '1h');
    await access.stack.operate(['keys', 'update', 'acme', key, '--expires', '1s']);
    await expect.poll(async () => (await call('acme/keyed', key)).status).toBe(401);
    await access.stack.operate(['keys', 'update', 'acme', key, '--never-expires']);
    expectIn(await call('acme/keyed', key));
  });

  it('open the neurons that they are for and no others', async () => {
    const key = await create('acme', '--neurons', 'other');
    expectIn(await call('acme/other', key));
    expectError(await call('acme/keyed', key), 401, 'unauthorized');
    expectError(await call('shop/keyed', key), 401, 'unauthorized');
  });

  it('of a neuron that is deleted and made again under its slug do not open the new one', async () => {
    const only = await create('acme', '--neurons', 'keyed');
    const all = await create('acme');
    expectIn(await call('acme/keyed', only));
    await access.stack.operate(['delete', 'acme/keyed']);
    await apply(keyed('acme/keyed'));
    await expect.poll(async () => (await call('acme/keyed', only)).status).toBe(401);
    expectIn(await call('acme/keyed', all));
    expect((await list('acme')).find(({ prefix }) => prefix === only.slice(0, 16))).toMatchObject({
      neurons: [expect.stringMatching(/^[0-9a-f]{24}$/)],
    });
  });

  it('of an organization that is deleted and made again under its slug are revoked, and open nothing even if they were not', async () => {
    const before = await idOf('acme');
    const key = await create('acme');
    expectIn(await call('acme/keyed', key));
    await access.stack.operate(['delete', 'acme']);
    // At once: as long as its settings are remembered by the key, then because there is no neuron.
    expect([401, 404]).toContain((await call('acme/keyed', key)).status);
    const { key: missed } = await plantKey(access.keys, before);
    await apply(ORGANIZATION);
    expect(await idOf('acme')).not.toBe(before);
    const fresh = await create('acme');
    await expect.poll(async () => (await call('acme/keyed', fresh)).status).toBe(200);
    expectError(await call('acme/keyed', key), 401, 'unauthorized');
    expectError(await call('acme/keyed', missed), 401, 'unauthorized');
    expect((await list('acme')).map(({ prefix }) => prefix)).toEqual([fresh.slice(0, 16)]);
  });

  describe('and the stores that they ask', () => {
    let calls: ServiceCall[];
    /**
     * What a warm request asks of the stores, beside the settings, whose copies grow old after a second. Others look at the tables by
     * themselves now and then, so it is polled for: what a request asks for, it asks for every time.
     */
    async function callsOf(send: () => Promise<unknown>): Promise<string[]> {
      // The first one warms everything up, and takes what an earlier request may still have to write.
      await watch(send);
      const seen = await watch(send);
      // The rollup counts entries when they are there, off the way of every request.
      return seen.filter((name) => name !== 'BatchGetItem Config' && !name.endsWith(' Usage')).toSorted();
    }

    async function watch(send: () => Promise<unknown>): Promise<string[]> {
      const names = ['Keys', 'Counters', 'Cache', 'Logs', 'Usage', 'Config'];
      const tables = names.map((name) => [name, JSON.stringify(outputOf(access.dataFolder, `${name}Table`))]);
      const named = () =>
        calls.map(({ operation, body }) => {
          const [name] = tables.find(([, table = '']) => body.includes(table)) ?? [];
          return `${operation} ${name}`;
        });
      calls = [];
      access.tables.injectFaults((one) => {
        calls.push(one);
        return undefined;
      });
      await send();
      // The entry is put after the answer, and the last use after the entry.
      await expect.poll(named).toContain('PutItem Logs');
      await new Promise((resolve) => setTimeout(resolve, 200));
      access.tables.injectFaults(() => undefined);
      return named();
    }

    it('are asked for one item by one consistent read, whether there are few keys or 10,000', async () => {
      const organizationId = await idOf('acme');
      const { key } = await plantKey(access.keys, organizationId);
      const wanted = ['GetItem Keys', 'PutItem Logs'];
      await expect.poll(() => callsOf(() => call('acme/keyed', key))).toEqual(wanted);
      await plantMany(access, organizationId, 10_000);
      await expect.poll(() => callsOf(() => call('acme/keyed', key))).toEqual(wanted);
      // A key of another system costs the same.
      const foreign = 'sk-9vXq2LmZt7RwYb3NcKd8Ge';
      const end = '2099-01-01T00:00:00.000Z';
      await plantKey(access.keys, organizationId, { imported: true, expiresAt: end }, digestOf(foreign));
      await expect.poll(() => callsOf(() => call('acme/keyed', foreign))).toEqual(wanted);
      expect((await call('acme/keyed', foreign)).status).toBe(200);
      const read = calls.find(({ operation }) => operation === 'GetItem');
      expect(JSON.parse(read?.body ?? '')).toMatchObject({ ConsistentRead: true });
      const unknown = `${(await plantKey(access.keys, 'nobody')).key}`;
      await expect.poll(() => callsOf(() => call('acme/keyed', unknown))).toEqual(wanted);
    });

    it('are not asked at all about what has not the form of a key', async () => {
      const { key } = await plantKey(access.keys, await idOf('acme'));
      for (const token of [
        `${key.slice(0, -1)}-`,
        `${key.slice(0, 20)}`,
        'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
        'x',
      ]) {
        await expect.poll(() => callsOf(() => call('acme/keyed', token))).toEqual(['PutItem Logs']);
      }
    });

    it('hold the time of the last use, written at most once a minute, which nobody waits for', async () => {
      const key = await create('acme');
      expect((await list('acme')).find(({ prefix }) => prefix === key.slice(0, 16))).toMatchObject({
        lastUsedAt: null,
      });
      // From early in a minute on, so that all calls are in one.
      await waitForSeconds((second) => second < 45);
      const uses: string[] = [];
      access.tables.injectFaults(({ operation, body }) => {
        if (operation === 'UpdateItem') uses.push(body);
        return undefined;
      });
      const from = new Date().toISOString();
      for (let round = 0; round < 20; round += 1) expectIn(await call('acme/keyed', key));
      await expect.poll(() => uses.length).toBe(1);
      const listed = (await list('acme')).find(({ prefix }) => prefix === key.slice(0, 16));
      expect(String(listed?.['lastUsedAt']) >= from).toBe(true);
      expect(uses).toHaveLength(1);
      expect(uses[0]).toContain(`LASTUSED#${key.slice(4, 16)}`);
      expect(uses[0]).not.toContain(key.slice(17));
      access.tables.injectFaults(() => undefined);
    });

    it('may fail to hold it without any caller noticing', async () => {
      const { key, keyId } = await plantKey(access.keys, await idOf('acme'));
      let failed = 0;
      access.tables.injectFaults(({ operation }) => {
        if (operation !== 'UpdateItem') return undefined;
        failed += 1;
        return 'fail';
      });
      for (let round = 0; round < 5; round += 1) expectIn(await call('acme/keyed', key));
      await expect.poll(() => failed).toBeGreaterThan(0);
      access.tables.injectFaults(() => undefined);
      expect((await list('acme')).find((one) => one['keyId'] === keyId)).toMatchObject({ lastUsedAt: null });
    });
  });
});

/** Keys that nobody has, straight into the table; 25 items are the most of one call. */
async function plantMany({ client, dataFolder }: AccessStack, organizationId: string, count: number) {
  const table = outputOf(dataFolder, 'KeysTable');
  for (let first = 0; first < count; first += 25) {
    const puts = Array.from({ length: 25 }, (_, offset) => {
      const keyId = `many${String(first + offset).padStart(8, '0')}`;
      const pk = `KEY#${keyId.padStart(64, '0')}`;
      const known = { prefix: `nrn_${keyId}`, lastFour: '0000', name: 'one of many', createdBy: 'a test' };
      return {
        PutRequest: { Item: { pk, keyId, organizationId, createdAt: '2026-01-01T00:00:00.000Z', ...known } },
      };
    });
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
}

async function waitForSeconds(isMeant: (second: number) => boolean): Promise<void> {
  while (!isMeant(new Date().getUTCSeconds())) await new Promise((resolve) => setTimeout(resolve, 200));
}
