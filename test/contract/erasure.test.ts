// The erasure of a person by the command over the embedded DynamoDB: what is gone, what stays true, and what `verify` says of it.
import { gzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPersonalItems } from '../../adapters/dynamodb/personal/personal-items.ts';
import { subjectDigest } from '../../core/idempotency/record-key.ts';
import { subjectHash } from '../../core/limits/counter-key.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, ADDRESS, createErasableLog } from '../support/erasable-log.ts';

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
beforeEach(async () => {
  dynamoDb = await startDynamoDb();
  tests += 1;
  log = await createErasableLog(dynamoDb, `erased-${tests}`);
});
afterEach(() => dynamoDb.stop());

const eraseAda = () => ['users', 'erase', log.slug, ADA, '--reason', 'request 17', '--yes'];
const verify = () => log.run(['logs', 'verify', log.slug, '--since', '2d']);

async function fill(): Promise<void> {
  for (const id of ['a', 'b', 'c']) await log.putOf(ADA, id);
  await log.putOf('bob', 'd');
  await log.seal();
}

describe('neuron users erase', () => {
  it('leaves no byte of the person, and a log that is intact and says so', async () => {
    await fill();
    expect(await log.everything()).toContain(ADA);
    const { stdout, exitCode, stderr } = await log.run(eraseAda());
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('3 log entries, 1 rows of usage,');
    const left = await log.everything();
    expect(left).not.toContain(ADA);
    expect(left).not.toContain(ADDRESS);
    expect(left).toContain('bob');
    const verified = await verify();
    expect(verified.stdout).toContain('3 of a person erased at ');
    expect(verified.stdout).toContain('request 17');
    expect(verified.stdout).toContain('is intact: 3 whole, 3 erased;');
    expect(verified.exitCode).toBe(0);
  });

  it('keeps the amounts, so that usage adds up', async () => {
    await fill();
    const before = await log.run(['usage', log.slug, '--by', 'neuron', '--json']);
    await log.run(eraseAda());
    const after = await log.run(['usage', log.slug, '--by', 'neuron', '--json']);
    expect(after.stdout).toBe(before.stdout);
    const recount = await log.run(['usage', log.slug, '--verify']);
    expect(recount.exitCode).toBe(0);
    const byUser = await log.run(['usage', log.slug, '--by', 'username', '--json']);
    expect(byUser.stdout).toContain('bob');
    expect(byUser.stdout).not.toContain(ADA);
  });
});

describe('an erasure that is ended', () => {
  it('at any step goes on under its change, until nothing is left', async () => {
    await fill();
    let kills = 0;
    for (let step = 0; step < 12; step += 1) {
      // Ended at the write after this many.
      let writes = step % 3;
      const { personalData, changes } = log.ports;
      const dying = async <Result>(write: () => Promise<Result>): Promise<Result> => {
        if (writes === 0) throw new Error('killed');
        writes -= 1;
        return write();
      };
      const over = {
        personalData: {
          ...personalData,
          erase: (...args: Parameters<typeof personalData.erase>) => dying(() => personalData.erase(...args)),
          remove: (item: Parameters<typeof personalData.remove>[0]) => dying(() => personalData.remove(item)),
        },
        changes: {
          ...changes,
          end: (...args: Parameters<typeof changes.end>) => dying(() => changes.end(...args)),
        },
      };
      const { exitCode } = await log.run(eraseAda(), over);
      if (exitCode !== 0) kills += 1;
    }
    expect(kills).toBeGreaterThan(1);
    const { stdout, exitCode } = await log.run(eraseAda());
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Nothing is kept of this person');
    const listed = await log.run(['logs', log.slug, '--changes', '--since', '2d', '--json']);
    const actions = listed.stdout.split('\n').filter((line) => line.includes('erase_user'));
    expect(actions).toHaveLength(1);
    expect(await log.everything()).not.toContain(ADA);
    const verified = await verify();
    expect(verified.stdout).toContain('is intact: 3 whole, 3 erased;');
  }, 60_000);
});

describe('a person who was erased', () => {
  it('does not come back by the stream', async () => {
    await fill();
    const before = await log.items();
    await log.run(eraseAda());
    await log.redeliver(before.filter(({ username }) => username?.S === ADA));
    expect(await log.everything()).not.toContain(ADA);
    expect((await verify()).exitCode).toBe(0);
  });

  it('is erased again when she calls again, by another change', async () => {
    await fill();
    await log.run(eraseAda());
    await log.putOf(ADA, 'again');
    await log.seal();
    expect((await verify()).exitCode).toBe(0);
    const { stdout } = await log.run(eraseAda());
    expect(stdout).toContain('1 log entries, 1 rows of usage,');
    expect((await verify()).stdout).toContain('4 erased;');
  });
});

describe('what is asked of an erasure', () => {
  it('is a reason without the name', async () => {
    const without = await log.run(['users', 'erase', log.slug, ADA, '--yes']);
    expect(without).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs --reason') });
    const named = await log.run([
      'users',
      'erase',
      log.slug,
      ADA,
      '--reason',
      `mail of ${ADA.toUpperCase()}.`,
      '--yes',
    ]);
    expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('holds the name') });
  });

  it('is counted by --dry-run, which changes nothing', async () => {
    await fill();
    const before = await log.everything();
    const { stdout } = await log.run(['users', 'erase', log.slug, ADA, '--dry-run']);
    expect(stdout).toContain(
      '3 log entries, 1 rows of usage, 0 cached answers, 0 items of kept answers, 0 counters',
    );
    expect(stdout).toContain('Not reached:\n');
    expect(await log.everything()).toBe(before);
  });

  it('waits for the usage of the newest entries, and erases nothing without it', async () => {
    await fill();
    await log.putOf(ADA, 'uncounted');
    const clock = { ...log.clock, sleep: (ms: number) => log.clock.advance(ms) };
    const { stderr, exitCode } = await log.run(eraseAda(), { clock });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Nothing was erased: the usage of the newest entries has not been added up.');
    expect(await log.everything()).toContain(ADDRESS);
    expect((await log.run(eraseAda())).exitCode).toBe(0);
    expect((await verify()).stdout).toContain('4 erased;');
  });
});

describe('without the rights to erase', () => {
  it('nothing is recorded, since a change without its deletion would look forged', async () => {
    await fill();
    const before = await log.everything();
    const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
    client.send = (async (command: object) => {
      if (command instanceof ScanCommand)
        throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
      return dynamoDb.client.send(command as never);
    }) as never;
    const personalData = { ...log.ports.personalData, ...createPersonalItems(client, dynamoDb.tables) };
    const { stderr, exitCode } = await log.run(eraseAda(), { personalData });
    expect(stderr).toContain('These credentials lack a permission');
    expect(exitCode).toBe(1);
    expect(await log.everything()).toBe(before);
    expect((await verify()).exitCode).toBe(0);
  });
});

describe('a person of a deleted organization', () => {
  it('is erased and exported no more, as the page says: the key of the log went with it', async () => {
    await fill();
    const { admin } = log.ports.config;
    const stored = await admin.readOrganization(log.slug);
    if (stored === undefined) throw new Error('no organization');
    await admin.deleteOrganization(stored);
    const before = await log.everything();
    for (const words of [eraseAda(), ['users', 'export', log.slug, ADA]]) {
      const { stdout, stderr, exitCode } = await log.run(words);
      expect([stdout, exitCode]).toEqual(['', 1]);
      expect(stderr).toContain(`There is no organization ${log.slug}.`);
    }
    expect(await log.everything()).toBe(before);
    expect(before).toContain(ADA);
  });
});

describe('answers and counters of a person', () => {
  const neuronId = () => `neuron-of-erased-${tests}`;
  const subject = () => subjectDigest(['username', ADA]);
  const counter = (name: string, condition?: string) =>
    `${neuronId()}#user#1d#${subjectHash({ kind: 'username', name }, condition)}#2026-11-21T00:00:00Z`;

  it('go with her, and those of others stay', async () => {
    await fill();
    const { client, tables } = dynamoDb;
    const put = (TableName: string, Item: object) => client.send(new PutCommand({ TableName, Item }));
    const answer = new Uint8Array(gzipSync(JSON.stringify({ body: 'kept of ada' })));
    await put(tables.cache, {
      pk: 'X#scope#one',
      executionId: 'a',
      meaning: 'near',
      output: 'cached of ada',
    });
    await put(tables.cache, { pk: 'S#near#one', scope: 'near' });
    await put(tables.cache, { pk: 'X#scope#two', executionId: 'd', output: 'cached of bob' });
    await put(tables.cache, { pk: `I#${neuronId()}#${subject()}#key`, answer, parts: 0 });
    await put(tables.cache, { pk: `I#${neuronId()}#${subject()}#key#token#0`, answer });
    await put(tables.cache, { pk: `I#neuron-of-others#${subject()}#key`, answer });
    await put(tables.counters, { pk: counter(ADA), requestsTaken: 3 });
    await put(tables.counters, { pk: counter(ADA, 'of-no-rule'), requestsTaken: 3 });
    await put(tables.counters, { pk: counter('bob'), requestsTaken: 1 });

    const { stdout } = await log.run(['users', 'export', log.slug, ADA]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ place }) => place).toSorted()).toEqual(
      [
        'log',
        'log',
        'log',
        'cachedAnswers',
        'keptAnswers',
        'keptAnswers',
        'counters',
        'usage',
        'summary',
      ].toSorted(),
    );
    expect(stdout).toContain('secret input');
    expect(stdout).toContain('cached of ada');
    expect(stdout).toContain('"body":"kept of ada"');
    expect(stdout).not.toContain('bob');
    const changes = await log.run(['logs', log.slug, '--changes', '--since', '2d', '--json']);
    expect(changes.stdout).toContain('export_user');
    expect(changes.stdout).not.toContain(ADA);

    const erased = await log.run(eraseAda());
    expect(erased.stdout).toContain('1 cached answers, 2 items of kept answers, 1 counters of limits');
    const keysOf = async (table: string) => (await log.items(table)).map(({ pk }) => pk?.S).toSorted();
    expect(await keysOf(tables.cache)).toEqual([`I#neuron-of-others#${subject()}#key`, 'X#scope#two']);
    expect(await keysOf(tables.counters)).toEqual([counter(ADA, 'of-no-rule'), counter('bob')].toSorted());
  });
});
