// Persons whom neurons name by digests (`usernameAs: hmac`): erased and exported by the plain name, under the name and its digest.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderLine } from '../../core/logs/line.ts';
import { digestUsername } from '../../core/ports/user-key.ts';
import { writeLog } from '../cli/logs/restore/restore-log.ts';
import { neuronRecord, organizationRecord } from '../cli/memory-ports.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, createErasableLog } from '../support/erasable-log.ts';

const KEY = 'k'.repeat(44);
const DIGEST = digestUsername(ADA, KEY);

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
beforeEach(async () => {
  dynamoDb = await startDynamoDb();
  tests += 1;
  log = await createErasableLog(dynamoDb, `named-${tests}`);
  log.ports.secretValues.set(`named-${tests}/providers/user:hmac`, KEY);
});
afterEach(() => dynamoDb.stop());

const eraseAs = (name: string) => ['users', 'erase', log.slug, name, '--reason', 'request 17', '--yes'];
const verify = () => log.run(['logs', 'verify', log.slug, '--since', '2d']);
const erasures = async () => {
  const { stdout } = await log.run(['logs', log.slug, '--changes', '--since', '2d', '--json']);
  return stdout.split('\n').filter((line) => line.includes('erase_user'));
};

/** Of before the setting and of after it, with the name in a tag as well. */
async function fill(): Promise<void> {
  await log.putOf(ADA, 'plain');
  await log.putOf(DIGEST, 'digest', { tags: { user: ADA, team: 'blue' } });
  await log.putOf('bob', 'bob', { tags: { team: 'blue' } });
  await log.seal();
}

async function denyKey() {
  const { secretReader } = log.ports;
  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  return {
    secretReader: {
      read: async (...words: Parameters<typeof secretReader.read>) => {
        if (words[2] === 'user:hmac') throw denied;
        return secretReader.read(...words);
      },
    },
  };
}

describe('users erase by the plain name', () => {
  it('erases what is kept under the name and under its digest, and rows of tags that name the person', async () => {
    await fill();
    expect(await log.everything()).toContain(`user=${ADA}`);
    const { stdout, stderr, exitCode } = await log.run(eraseAs(ADA));
    expect([stderr, exitCode]).toEqual(['', 0]);
    // Of each name a row, and one of the tag.
    expect(stdout).toContain('2 log entries, 3 rows of usage,');
    expect(stdout).toContain('Looked for the name, and for its digest');
    const left = await log.everything();
    expect(left).not.toContain(ADA);
    expect(left).not.toContain(DIGEST);
    expect(left).toContain('team=blue');
    expect(await erasures()).toHaveLength(2);
    const verified = await verify();
    expect(verified.stdout).toContain('2 erased;');
    expect(verified.exitCode).toBe(0);
    expect((await log.run(['usage', log.slug, '--verify'])).exitCode).toBe(0);
  });

  it('counts both with --dry-run, and names both in its answer as JSON', async () => {
    await fill();
    const before = await log.everything();
    const { stdout } = await log.run(['users', 'erase', log.slug, ADA, '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, byDigest: true, entries: 2, usage: 3 });
    expect(await log.everything()).toBe(before);
  });

  it('erases the digest alone where that is typed, and then the name goes on', async () => {
    await fill();
    const { stdout } = await log.run(eraseAs(DIGEST));
    expect(stdout).toContain('1 log entries, 1 rows of usage,');
    expect(stdout).not.toContain('Looked for');
    expect(await log.everything()).toContain(ADA);
    expect((await log.run(eraseAs(ADA))).stdout).toContain('1 log entries,');
    expect((await verify()).exitCode).toBe(0);
  });

  it('records a name under which nothing is kept, so that no line brings it back', async () => {
    await log.putOf(DIGEST, 'digest');
    await log.seal();
    const caller = {
      sourceIp: '192.0.2.1',
      refererHost: undefined,
      username: ADA,
      authentication: 'jwt' as const,
    };
    const lost = renderLine(log.entry('lost', { timeMs: log.clock.now(), caller }), { stage: 'test' });
    await log.clock.advance(1_000);
    expect((await log.run(eraseAs(ADA))).exitCode).toBe(0);
    expect(await erasures()).toHaveLength(2);
    const { stdout } = await log.run(['logs', 'restore', writeLog(lost), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ restored: 0, erased: 1 });
    // The next run of the command adds no change.
    expect((await log.run(eraseAs(ADA))).stdout).toContain('Nothing is kept of this person');
    expect(await erasures()).toHaveLength(2);
  });
});

describe('an erasure by name that is ended', () => {
  it('at any write goes on, until neither the name nor the digest is left', async () => {
    await fill();
    let kills = 0;
    for (let allowed = 0; allowed < 8; allowed += 1) {
      let writes = allowed % 2;
      const { personalData } = log.ports;
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
      };
      if ((await log.run(eraseAs(ADA), over)).exitCode !== 0) kills += 1;
    }
    expect(kills).toBeGreaterThan(2);
    await log.run(eraseAs(ADA));
    const left = await log.everything();
    expect(left).not.toContain(ADA);
    expect(left).not.toContain(DIGEST);
    expect(await erasures()).toHaveLength(2);
    expect((await verify()).stdout).toContain('2 erased;');
  }, 60_000);

  it('by the digest is finished by the name, which leaves less of a tag', async () => {
    await fill();
    const over = {
      personalData: { ...log.ports.personalData, erase: async () => Promise.reject(new Error('killed')) },
    };
    expect((await log.run(eraseAs(DIGEST), over)).exitCode).not.toBe(0);
    expect((await log.run(eraseAs(ADA))).exitCode).toBe(0);
    expect(await log.everything()).not.toContain(ADA);
    const verified = await verify();
    expect(verified.stdout).toContain('2 erased;');
    expect(verified.exitCode).toBe(0);
  });
});

describe('without the right to the key of names', () => {
  it('counts the name alone and says so, where a neuron keeps digests', async () => {
    await fill();
    const organization = { ...organizationRecord(log.slug), id: `named-${tests}` };
    const jwt = { sharedSecret: { secret: 's' }, usernamePath: 'sub', usernameAs: 'hmac' };
    const neuron = { ...neuronRecord(log.slug, 'hello'), organizationId: organization.id };
    const document = { neuron: `${log.slug}/hello`, access: { jwt } };
    await log.ports.config.admin.writeNeuron(log.slug, { ...neuron, document }, 'absent');
    const over = await denyKey();
    const { stdout, stderr } = await log.run(['users', 'erase', log.slug, ADA, '--dry-run'], over);
    expect(stdout).toContain('1 log entries,');
    expect(stderr).toContain('Neurons with `usernameAs: hmac` are left out');
  });
});

describe('users export by the plain name', () => {
  it('prints what is kept under both names, and records the export without either', async () => {
    await fill();
    const { stdout } = await log.run(['users', 'export', log.slug, ADA]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ids = lines.filter(({ place }) => place === 'log').map(({ record }) => record.executionId);
    expect(ids.toSorted()).toEqual(['digest', 'plain']);
    expect(lines.at(-1)).toMatchObject({
      place: 'summary',
      record: { usernames: [ADA, DIGEST], counts: { log: 2, usage: 3, blocks: 0 } },
    });
    const changes = await log.run(['logs', log.slug, '--changes', '--since', '2d', '--json']);
    expect(changes.stdout).toContain('pseudonym');
    for (const name of [ADA, DIGEST]) expect(changes.stdout).not.toContain(name);
  });
});
