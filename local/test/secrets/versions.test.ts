// Tests of a secret's versions and labels with the real SDK client. Behaviour: AWS Secrets Manager API Reference.
import { randomUUID } from 'node:crypto';
import { UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { awsError, startWithClient } from './sdk-client.ts';

const { client, create, secretOf, stagesOf, put } = await startWithClient();
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

describe('a new value', () => {
  it('becomes the current one, and the one before it the previous one', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two');
    const third = await put(name, 'three');
    expect(await secretOf(name)).toBe('three');
    expect(await secretOf(name, { VersionStage: 'AWSPREVIOUS' })).toBe('two');
    expect(await secretOf(name, { VersionId: first })).toBe('one');
    expect(await stagesOf(name, first, second, third)).toEqual([[], ['AWSPREVIOUS'], ['AWSCURRENT']]);
  });

  it('leaves the current one alone when it has labels of its own', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    expect(await secretOf(name)).toBe('one');
    expect(await secretOf(name, { VersionStage: 'PENDING' })).toBe('two');
    expect(await stagesOf(name, first, second)).toEqual([['AWSCURRENT'], ['PENDING']]);
  });

  it('is stored once when the request is repeated, and refused when the token comes with another value', async () => {
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

  it('is refused for an unknown secret', async () => {
    await expect(put('nothing', 'x')).rejects.toThrow(
      awsError('ResourceNotFoundException', "can't find the specified secret"),
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
    expect(await stagesOf(name, first, second)).toEqual([['AWSPREVIOUS'], ['PENDING', 'AWSCURRENT']]);
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

  it('refuses to remove it from a version that does not have it', async () => {
    const { name, first } = await create();
    const second = await put(name, 'two');
    await expect(moveCurrent(name, first, second)).rejects.toThrow(
      awsError('InvalidParameterException', "isn't currently attached"),
    );
  });

  it('refuses to move it without naming the version that has it', async () => {
    const { name } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    await expect(moveCurrent(name, undefined, second)).rejects.toThrow(
      awsError('InvalidParameterException', "The parameter RemoveFromVersionId can't be empty"),
    );
  });

  it('refuses to remove it altogether, and to move it to an unknown version', async () => {
    const { name, first } = await create();
    await expect(moveCurrent(name, first, undefined)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidParameterException' }),
    );
    await expect(moveCurrent(name, first, randomUUID())).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });

  it('removes other labels', async () => {
    const { name } = await create();
    const second = await put(name, 'two', { VersionStages: ['PENDING'] });
    const request = { SecretId: name, VersionStage: 'PENDING', RemoveFromVersionId: second };
    await client.send(new UpdateSecretVersionStageCommand(request));
    await expect(secretOf(name, { VersionStage: 'PENDING' })).rejects.toThrow('staging label: PENDING');
  });
});
