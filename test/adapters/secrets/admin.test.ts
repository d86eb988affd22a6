// How secrets are changed: the exact calls, lost races, lost answers and bounds.
import { describe, expect, it } from 'vitest';
import { createSecretAdmin } from '../../../adapters/secrets/admin.ts';
import { startSecretsManager } from './fake-secrets-manager.ts';

const ID = 'neuron/test/org-1/providers';

async function start() {
  const fake = await startSecretsManager();
  const admin = () => createSecretAdmin(fake.connect(), 'neuron/test');
  const current = () => {
    const versions = [...(fake.secrets.get(ID)?.values() ?? [])];
    return JSON.parse(versions.find(({ stages }) => stages.has('AWSCURRENT'))?.text ?? 'null') as unknown;
  };
  /** Lets another operator in before the first call of an operation. */
  const raceBefore = (operation: string, other: () => Promise<unknown>) => {
    let raced = false;
    fake.interfere(async (called) => {
      if (called !== operation || raced) return undefined;
      raced = true;
      await other();
      return undefined;
    });
  };
  return { fake, admin, current, raceBefore };
}

describe('a change of a secret', () => {
  it('makes the secret on first use, in use at once', async () => {
    const { fake, admin } = await start();
    await admin().set('org-1', 'providers', 'a', 'x');
    expect(fake.calls).toEqual([
      { operation: 'GetSecretValue', input: { SecretId: ID } },
      {
        operation: 'CreateSecret',
        input: {
          Name: ID,
          SecretString: '{"a":"x"}',
          ClientRequestToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    ]);
  });

  it('makes the secret with the key of the stage, and leaves that of a secret that exists', async () => {
    const { fake } = await start();
    const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
    const admin = createSecretAdmin(fake.connect(), 'neuron/test', keyArn);
    await admin.set('org-1', 'providers', 'a', 'x');
    await admin.set('org-1', 'providers', 'b', 'y');
    const named = fake.calls.filter(({ input }) => 'KmsKeyId' in input);
    expect(named.map(({ operation, input }) => [operation, input['KmsKeyId']])).toEqual([
      ['CreateSecret', keyArn],
    ]);
  });

  it('adds a version under a label of its own and moves AWSCURRENT from the version that was read', async () => {
    const { fake, admin } = await start();
    await admin().set('org-1', 'providers', 'a', 'x');
    const [first] = fake.secrets.get(ID)?.keys() ?? [];
    fake.calls.length = 0;
    await admin().set('org-1', 'providers', 'b', 'y');
    const token = fake.calls[1]?.input['ClientRequestToken'];
    const label = expect.stringMatching(/^NEURON_PENDING_[0-9a-f]$/);
    expect(fake.calls).toEqual([
      { operation: 'GetSecretValue', input: { SecretId: ID } },
      {
        operation: 'PutSecretValue',
        input: {
          SecretId: ID,
          SecretString: '{"a":"x","b":"y"}',
          ClientRequestToken: token,
          VersionStages: [label],
        },
      },
      {
        operation: 'UpdateSecretVersionStage',
        input: {
          SecretId: ID,
          VersionStage: 'AWSCURRENT',
          RemoveFromVersionId: first,
          MoveToVersionId: token,
        },
      },
      {
        operation: 'UpdateSecretVersionStage',
        input: { SecretId: ID, VersionStage: label, RemoveFromVersionId: token },
      },
    ]);
  });

  it('writes nothing when the value is already there', async () => {
    const { fake, admin } = await start();
    await admin().set('org-1', 'providers', 'a', 'x');
    fake.calls.length = 0;
    await admin().set('org-1', 'providers', 'a', 'x');
    expect(fake.calls.map(({ operation }) => operation)).toEqual(['GetSecretValue']);
  });

  it.each(['PutSecretValue', 'UpdateSecretVersionStage'])(
    'is made again on top of what another operator wrote before %s',
    async (operation) => {
      const { fake, admin, current, raceBefore } = await start();
      await admin().set('org-1', 'providers', 'a', 'x');
      raceBefore(operation, () => admin().set('org-1', 'providers', 'theirs', 'y'));
      await admin().set('org-1', 'providers', 'mine', 'z');
      expect(current()).toEqual({ a: 'x', theirs: 'y', mine: 'z' });
      const labels = [...(fake.secrets.get(ID)?.values() ?? [])].flatMap(({ stages }) => [...stages]).sort();
      expect(labels).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
    },
  );

  it('is made again when another operator made the secret first', async () => {
    const { admin, current, raceBefore } = await start();
    raceBefore('CreateSecret', () => admin().set('org-1', 'providers', 'theirs', 'y'));
    await admin().set('org-1', 'providers', 'mine', 'z');
    expect(current()).toEqual({ theirs: 'y', mine: 'z' });
  });

  it('does not bring back what another operator removed meanwhile', async () => {
    const { admin, current, raceBefore } = await start();
    await admin().set('org-1', 'providers', 'old', 'x');
    raceBefore('UpdateSecretVersionStage', () => admin().remove('org-1', 'providers', 'old'));
    await admin().set('org-1', 'providers', 'mine', 'z');
    expect(current()).toEqual({ mine: 'z' });
  });

  it('succeeds when the answer to the move is lost', async () => {
    const { fake, admin, current } = await start();
    await admin().set('org-1', 'providers', 'a', 'x');
    let dropped = false;
    fake.interfere(async (operation) => {
      if (operation !== 'UpdateSecretVersionStage' || dropped) return undefined;
      dropped = true;
      return 'drop';
    });
    expect(await admin().remove('org-1', 'providers', 'a')).toBe(true);
    expect(current()).toEqual({});
  });

  it('is given up when others keep changing the secret', async () => {
    const { fake, admin } = await start();
    await admin().set('org-1', 'providers', 'a', 'x');
    let writes = 0;
    fake.interfere(async (operation, input) => {
      if (operation !== 'UpdateSecretVersionStage' || input['VersionStage'] !== 'AWSCURRENT')
        return undefined;
      writes += 1;
      const versions = fake.secrets.get(ID);
      for (const version of versions?.values() ?? []) version.stages.delete('AWSCURRENT');
      versions?.set(`other-${writes}`, { text: '{}', stages: new Set(['AWSCURRENT']) });
      return undefined;
    });
    await expect(admin().set('org-1', 'providers', 'b', 'y')).rejects.toThrow(
      `the secret ${ID} keeps being changed by others`,
    );
    expect(writes).toBe(8);
  });

  it('refuses to grow a secret beyond 64 KB, and says by how much', async () => {
    const { fake, admin, current } = await start();
    // {"a":"…"} takes 8 bytes beside the value.
    await admin().set('org-1', 'providers', 'a', 'x'.repeat(65_528));
    await expect(admin().set('org-1', 'providers', 'b', 'yy')).rejects.toThrow(
      'all values of one purpose may take 65536 bytes together, and would take 65545',
    );
    expect(Object.keys(current() as object)).toEqual(['a']);
    expect(fake.calls.filter(({ operation }) => operation === 'PutSecretValue')).toEqual([]);
  });

  it.each(['', 'A', 'a_b', '-a', 'a/b', 'x'.repeat(64)])('refuses the name %j', async (name) => {
    const { fake, admin } = await start();
    await expect(admin().set('org-1', 'providers', name, 'x')).rejects.toThrow('is not a name of a secret');
    expect(fake.calls).toEqual([]);
  });

  it('fails when Secrets Manager does, and names no value', async () => {
    const { fake, admin } = await start();
    fake.interfere(async () => ({ error: 'InternalServiceError' }));
    const failure = await admin()
      .set('org-1', 'providers', 'a', 'canary')
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain('canary');
  });
});
