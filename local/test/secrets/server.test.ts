// Tests of the stand-in for Secrets Manager with the real SDK client. Behaviour: AWS Secrets Manager API Reference.
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { awsError, connect, startWithClient } from './sdk-client.ts';

const { folder, clock, start, server, client, create, secretOf } = await startWithClient();

describe('a new secret', () => {
  it('is found by its name, its ARN, and its ARN without the last characters', async () => {
    const { name } = await create();
    const { ARN = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
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
      awsError('ResourceNotFoundException', 'specified secret value for staging label: AWSCURRENT'),
    );
  });

  it('accepts the same request twice, and refuses a different one for the same name', async () => {
    const Name = `test/${randomUUID()}`;
    const request = { Name, SecretString: 'one', ClientRequestToken: randomUUID() };
    const first = await client.send(new CreateSecretCommand(request));
    const again = await client.send(new CreateSecretCommand(request));
    expect(again.VersionId).toBe(first.VersionId);
    await expect(client.send(new CreateSecretCommand({ Name, SecretString: 'one' }))).rejects.toThrow(
      awsError('ResourceExistsException', 'already exists'),
    );
    await expect(client.send(new CreateSecretCommand({ ...request, SecretString: 'two' }))).rejects.toThrow(
      awsError('ResourceExistsException', 'already exists'),
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

describe('deletion', () => {
  const remove = (SecretId: string, more: object = {}) =>
    client.send(new DeleteSecretCommand({ SecretId, ...more }));

  it('keeps the secret for the recovery window, unreadable, and its name with it', async () => {
    const { name } = await create();
    const { DeletionDate } = await remove(name, { RecoveryWindowInDays: 7 });
    expect(DeletionDate).toEqual(new Date((1_800_000_000 + 7 * 86_400) * 1000));
    await expect(secretOf(name)).rejects.toThrow(awsError('InvalidRequestException', 'marked for deletion'));
    await expect(client.send(new CreateSecretCommand({ Name: name }))).rejects.toThrow(
      awsError('InvalidRequestException', 'already scheduled for deletion'),
    );
  });

  it('is complete after the window, which is 30 days unless said otherwise', async () => {
    const { name } = await create();
    await remove(name);
    const before = clock.seconds;
    clock.seconds += 30 * 86_400;
    await expect(client.send(new GetSecretValueCommand({ SecretId: name }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
    clock.seconds = before;
  });

  it('is complete at once when forced, so that the name can be used again; also for an unknown secret', async () => {
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

  const headers = { authorization: 'AWS4-HMAC-SHA256 x', 'x-amz-target': 'secretsmanager.GetSecretValue' };

  it.each([
    ['a web page', { ...headers, origin: 'http://evil.example' }, 403],
    ['a request without a signature', { 'x-amz-target': 'secretsmanager.GetSecretValue' }, 403],
    ['an unsupported operation', { ...headers, 'x-amz-target': 'secretsmanager.RotateSecret' }, 400],
    ['a request for no operation', { authorization: 'x' }, 400],
  ])('refuses %s', async (_what, sent, status) => {
    const answer = await fetch(server.endpoint, { method: 'POST', headers: sent, body: '{}' });
    expect(answer.status).toBe(status);
  });

  it('refuses a body that is not a JSON object, or far too long', async () => {
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
