// Tests of the stand-in for Secrets Manager with the real SDK client. Behaviour: AWS Secrets Manager API Reference.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, it } from 'vitest';
import { startSecretsServer } from '../../../local/secrets/server.ts';
import { openSecretStore } from '../../../local/secrets/store.ts';
import { secretArn } from '../../../local/template/identities.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-secrets-'));
let time = 1_800_000_000;
const now = () => time;
const PSEUDO = { region: 'eu-west-1', accountId: '111122223333', partition: 'aws', urlSuffix: '' };
const arnOf = (name: string) => secretArn(PSEUDO, name);
const start = () => startSecretsServer({ store: openSecretStore(folder, now), now, arnOf }, () => undefined);
const server = await start();
const client = connect(server.endpoint);

function connect(endpoint: string): SecretsManagerClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new SecretsManagerClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
}

afterAll(async () => {
  client.destroy();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function create(SecretString = 'one'): Promise<{ name: string; first: string }> {
  const name = `test/${randomUUID()}`;
  const { VersionId = '' } = await client.send(new CreateSecretCommand({ Name: name, SecretString }));
  return { name, first: VersionId };
}
const secretOf = async (SecretId: string, more: object = {}) =>
  (await client.send(new GetSecretValueCommand({ SecretId, ...more }))).SecretString;
const stagesOf = async (SecretId: string) =>
  (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;
const put = async (SecretId: string, SecretString: string, more: object = {}) =>
  (await client.send(new PutSecretValueCommand({ SecretId, SecretString, ...more }))).VersionId ?? '';
const moveCurrent = (
  SecretId: string,
  RemoveFromVersionId: string | undefined,
  MoveToVersionId: string | undefined,
) =>
  client.send(
    new UpdateSecretVersionStageCommand({
      SecretId,
      VersionStage: 'AWSCURRENT',
      RemoveFromVersionId,
      MoveToVersionId,
    }),
  );
const refusal = (name: string, text: string | RegExp) =>
  expect.objectContaining({
    name,
    message: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
  });

describe('a new secret', () => {
  it('is found by its name, its ARN, and its ARN without the last characters', async () => {
    const { name } = await create();
    const { ARN = '' } = await client.send(new DescribeSecretCommand({ SecretId: name }));
    expect(ARN).toMatch(/^arn:aws:secretsmanager:eu-west-1:111122223333:secret:test\/.*-.{6}$/);
    expect(await secretOf(ARN)).toBe('one');
    expect(await secretOf(ARN.slice(0, -7))).toBe('one');
  });

  it('answers all members that the SDK reads', async () => {
    const { name, first } = await create();
    expect(await client.send(new GetSecretValueCommand({ SecretId: name }))).toMatchObject({
      Name: name,
      VersionId: first,
      VersionStages: ['AWSCURRENT'],
      CreatedDate: new Date(1_800_000_000_000),
    });
  });

  it('keeps bytes as they are', async () => {
    const SecretBinary = Uint8Array.from([0, 255, 128]);
    const name = `test/${randomUUID()}`;
    await client.send(new CreateSecretCommand({ Name: name, SecretBinary }));
    const answer = await client.send(new GetSecretValueCommand({ SecretId: name }));
    expect(answer.SecretBinary).toEqual(SecretBinary);
    expect(answer.SecretString).toBeUndefined();
  });

  it('may have no value yet', async () => {
    const name = `test/${randomUUID()}`;
    expect(await client.send(new CreateSecretCommand({ Name: name }))).not.toHaveProperty('VersionId');
    await expect(secretOf(name)).rejects.toThrow(
      refusal('ResourceNotFoundException', 'specified secret value for staging label: AWSCURRENT'),
    );
  });

  it('takes the same request twice, and refuses another one for its name', async () => {
    const Name = `test/${randomUUID()}`;
    const request = { Name, SecretString: 'one', ClientRequestToken: randomUUID() };
    const first = await client.send(new CreateSecretCommand(request));
    const again = await client.send(new CreateSecretCommand(request));
    expect(again.VersionId).toBe(first.VersionId);
    await expect(client.send(new CreateSecretCommand({ Name, SecretString: 'one' }))).rejects.toThrow(
      refusal('ResourceExistsException', 'already exists'),
    );
    await expect(client.send(new CreateSecretCommand({ ...request, SecretString: 'two' }))).rejects.toThrow(
      refusal('ResourceExistsException', 'already exists'),
    );
  });

  it.each([
    ['a name with a space', { Name: 'a b', SecretString: 'x' }],
    ['a value that is too long', { Name: 'long', SecretString: 'x'.repeat(65_537) }],
    ['a text and bytes at once', { Name: 'both', SecretString: 'x', SecretBinary: Uint8Array.of(1) }],
    ['a token that is too short', { Name: 'token', SecretString: 'x', ClientRequestToken: 'short' }],
  ])('refuses %s', async (_what, request) => {
    await expect(client.send(new CreateSecretCommand(request))).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidParameterException' }),
    );
  });
});

describe('a new value', () => {
  it('becomes the current one, and the one before it the previous one', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two');
    const third = await put(name, 'three');
    expect(await secretOf(name)).toBe('three');
    expect(await secretOf(name, { VersionStage: 'AWSPREVIOUS' })).toBe('two');
    expect(await secretOf(name, { VersionId: first })).toBe('one');
    expect(await stagesOf(name)).toEqual({ [second]: ['AWSPREVIOUS'], [third]: ['AWSCURRENT'] });
  });

  it('leaves the current one alone when it has labels of its own', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    expect(await secretOf(name)).toBe('one');
    expect(await secretOf(name, { VersionStage: 'PENDING' })).toBe('two');
    expect(await stagesOf(name)).toEqual({ [first]: ['AWSCURRENT'], [second]: ['PENDING'] });
  });

  it('is taken once when the same request comes twice, and refused when the token has another value', async () => {
    const { name } = await create();
    const ClientRequestToken = randomUUID();
    await put(name, 'two', { ClientRequestToken });
    await put(name, 'three');
    await put(name, 'two', { ClientRequestToken });
    expect(await secretOf(name)).toBe('three');
    await expect(put(name, 'other', { ClientRequestToken })).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceExistsException' }),
    );
  });

  it('is refused for a secret that is not there', async () => {
    await expect(put('nothing', 'x')).rejects.toThrow(
      refusal('ResourceNotFoundException', "can't find the specified secret"),
    );
  });

  it('is refused for a version with another label than the one that is asked for', async () => {
    const { name, first } = await create();
    await expect(secretOf(name, { VersionId: first, VersionStage: 'AWSPREVIOUS' })).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidRequestException' }),
    );
    await expect(secretOf(name, { VersionId: randomUUID() })).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });
});

describe('moving AWSCURRENT', () => {
  it('moves it from the version that was read, and AWSPREVIOUS with it', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    await moveCurrent(name, first, second);
    expect(await stagesOf(name)).toEqual({ [first]: ['AWSPREVIOUS'], [second]: ['PENDING', 'AWSCURRENT'] });
  });

  it('lets one of two operators win who read the same version', async () => {
    const { name, first } = await create();
    const mine = await put(name, 'mine', { VersionStages: ['MINE'] });
    const theirs = await put(name, 'theirs', { VersionStages: ['THEIRS'] });
    const results = await Promise.allSettled([
      moveCurrent(name, first, mine),
      moveCurrent(name, first, theirs),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('refuses a version to remove it from that has not got it', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two');
    await expect(moveCurrent(name, first, second)).rejects.toThrow(
      refusal('InvalidParameterException', "isn't currently attached"),
    );
  });

  it('refuses to move it without naming the version that has it', async () => {
    const { name } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    await expect(moveCurrent(name, undefined, second)).rejects.toThrow(
      refusal('InvalidParameterException', "The parameter RemoveFromVersionId can't be empty"),
    );
  });

  it('refuses to take it away altogether, and to move it to what is not there', async () => {
    const { name, first } = await create();
    await expect(moveCurrent(name, first, undefined)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidParameterException' }),
    );
    await expect(moveCurrent(name, first, randomUUID())).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });

  it('takes other labels away', async () => {
    const { name } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    const request = { SecretId: name, VersionStage: 'PENDING', RemoveFromVersionId: second };
    await client.send(new UpdateSecretVersionStageCommand(request));
    await expect(secretOf(name, { VersionStage: 'PENDING' })).rejects.toThrow('staging label: PENDING');
  });
});

describe('deletion', () => {
  const remove = (SecretId: string, more: object = {}) =>
    client.send(new DeleteSecretCommand({ SecretId, ...more }));

  it('keeps the secret for the recovery window, unreadable, and it can be restored', async () => {
    const { name } = await create();
    const { DeletionDate } = await remove(name, { RecoveryWindowInDays: 7 });
    expect(DeletionDate).toEqual(new Date((1_800_000_000 + 7 * 86_400) * 1000));
    await expect(secretOf(name)).rejects.toThrow(refusal('InvalidRequestException', 'marked for deletion'));
    await expect(client.send(new CreateSecretCommand({ Name: name }))).rejects.toThrow(
      refusal('InvalidRequestException', 'already scheduled for deletion'),
    );
    expect(await client.send(new DescribeSecretCommand({ SecretId: name }))).toHaveProperty('DeletedDate');
    await client.send(new RestoreSecretCommand({ SecretId: name }));
    expect(await secretOf(name)).toBe('one');
  });

  it('is complete after the window, which is 30 days unless said otherwise', async () => {
    const { name } = await create();
    await remove(name);
    const before = time;
    time += 30 * 86_400;
    await expect(client.send(new DescribeSecretCommand({ SecretId: name }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
    time = before;
  });

  it('is complete at once when forced, so that the name can be used again; also of what is not there', async () => {
    const { name } = await create();
    await remove(name, { ForceDeleteWithoutRecovery: true });
    await client.send(new CreateSecretCommand({ Name: name, SecretString: 'again' }));
    expect(await secretOf(name)).toBe('again');
    await expect(remove('never-there', { ForceDeleteWithoutRecovery: true })).resolves.toBeDefined();
  });

  it('refuses force and a window at once, and a window of one day', async () => {
    const { name } = await create();
    for (const more of [
      { ForceDeleteWithoutRecovery: true, RecoveryWindowInDays: 7 },
      { RecoveryWindowInDays: 1 },
    ])
      await expect(remove(name, more)).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidParameterException' }),
      );
  });
});

describe('lists and tags', () => {
  it('lists by the beginning of the name, page by page, without what is to be deleted', async () => {
    const prefix = `listed-${randomUUID()}`;
    for (const name of ['a', 'b', 'c', 'gone'])
      await client.send(new CreateSecretCommand({ Name: `${prefix}/${name}`, SecretString: name }));
    await client.send(new DeleteSecretCommand({ SecretId: `${prefix}/gone` }));
    const list = async (more: object) => {
      const { SecretList = [], NextToken } = await client.send(
        new ListSecretsCommand({ Filters: [{ Key: 'name', Values: [prefix] }], SortOrder: 'asc', ...more }),
      );
      return { names: SecretList.map(({ Name }) => Name?.slice(prefix.length)), NextToken };
    };
    const first = await list({ MaxResults: 2 });
    expect(first.names).toEqual(['/a', '/b']);
    const second = await list({ MaxResults: 2, NextToken: first.NextToken });
    expect(second).toEqual({ names: ['/c'], NextToken: undefined });
    expect((await list({ IncludePlannedDeletion: true })).names).toEqual(['/a', '/b', '/c', '/gone']);
  });

  it('adds, replaces and removes tags, and finds secrets by them', async () => {
    const { name } = await create();
    const tag = (Tags: object[]) => client.send(new TagResourceCommand({ SecretId: name, Tags }));
    const key = `key-${randomUUID()}`;
    await tag([
      { Key: key, Value: '1' },
      { Key: 'other', Value: 'x' },
    ]);
    await tag([{ Key: key, Value: '2' }]);
    await client.send(new UntagResourceCommand({ SecretId: name, TagKeys: ['other'] }));
    const Filters = [{ Key: 'tag-key' as const, Values: [key] }];
    const { SecretList } = await client.send(new ListSecretsCommand({ Filters }));
    expect(SecretList).toMatchObject([{ Name: name, Tags: [{ Key: key, Value: '2' }] }]);
  });
});

describe('the server', () => {
  it('keeps secrets over a restart, in files that only this user can read', async () => {
    const { name } = await create('kept');
    const second = await start();
    const other = connect(second.endpoint);
    const answer = await other.send(new GetSecretValueCommand({ SecretId: name }));
    expect(answer.SecretString).toBe('kept');
    other.destroy();
    await second.stop();
    expect(readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual(
      readdirSync(folder).map(() => 0o600),
    );
  });

  const headers = { authorization: 'AWS4-HMAC-SHA256 x', 'x-amz-target': 'secretsmanager.ListSecrets' };

  it.each([
    ['a web page', { ...headers, origin: 'http://evil.example' }, 403],
    ['a request without a signature', { 'x-amz-target': 'secretsmanager.ListSecrets' }, 403],
    [
      'an operation without local behaviour',
      { ...headers, 'x-amz-target': 'secretsmanager.RotateSecret' },
      400,
    ],
    ['a request for no operation', { authorization: 'x' }, 400],
  ])('refuses %s', async (_what, sent, status) => {
    const answer = await fetch(server.endpoint, { method: 'POST', headers: sent, body: '{}' });
    expect(answer.status).toBe(status);
  });

  it('refuses a body that is no JSON object, or far too long', async () => {
    for (const [body, status] of [
      ['[]', 400],
      ['{', 400],
      ['x'.repeat(600 * 1024), 413],
    ] as const) {
      const answer = await fetch(server.endpoint, { method: 'POST', headers, body });
      expect(answer.status).toBe(status);
    }
  });
});
