// Tests of the secrets that a template has.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addVersion } from '../../secrets/secret.ts';
import { openSecretStore } from '../../secrets/store.ts';
import { applySecrets } from '../../secrets/template-secrets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ARN = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:app/db-abc123';

function prepare() {
  const folder = temporaryFolder();
  const store = openSecretStore(folder, () => 0);
  const apply = (properties: object) =>
    applySecrets(
      [
        {
          name: 'Stack',
          folder: '',
          outputs: {},
          resources: [
            {
              stack: 'Stack',
              logicalId: 'Secret',
              type: 'AWS::SecretsManager::Secret',
              physicalId: ARN,
              arn: ARN,
              metadata: {},
              properties: properties as Readonly<Record<string, unknown>>,
            },
          ],
        },
      ],
      store,
      100,
    );
  const current = () =>
    Object.values(store.find('app/db')?.versions ?? {}).find(({ stages }) => stages.includes('AWSCURRENT'))
      ?.secretString;
  return { folder, store, apply, current };
}

describe('applySecrets', () => {
  it('creates the secret with the value of the template', () => {
    const { apply, current, store } = prepare();
    apply({ SecretString: 'given', Description: 'of the app', Tags: [{ Key: 'a', Value: 'b' }] });
    expect(current()).toBe('given');
    expect(store.find(ARN)).toMatchObject({ description: 'of the app', tags: [{ Key: 'a', Value: 'b' }] });
  });

  it('generates 32 characters of each type unless the template says otherwise', () => {
    const { apply, current } = prepare();
    apply({ GenerateSecretString: {} });
    expect(current()).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[^a-zA-Z0-9]).{32}$/);
  });

  it('generates what the template asks for, inside its JSON', () => {
    const { apply, current } = prepare();
    apply({
      GenerateSecretString: {
        SecretStringTemplate: '{"user":"admin"}',
        GenerateStringKey: 'password',
        PasswordLength: 12,
        ExcludePunctuation: true,
        ExcludeUppercase: true,
        ExcludeCharacters: '0123',
      },
    });
    const { user, password } = JSON.parse(current() ?? '') as { user: string; password: string };
    expect(user).toBe('admin');
    expect(password).toMatch(/^[a-z4-9]{12}$/);
  });

  it('keeps a value that was set since, until the template changes', () => {
    const { apply, current, store } = prepare();
    apply({ SecretString: 'one' });
    const secret = store.find('app/db')!;
    store.put(addVersion(secret, 'v2', { secretString: 'by a call', createdAt: 0, stages: ['AWSCURRENT'] }));
    apply({ SecretString: 'one' });
    expect(current()).toBe('by a call');
    apply({ SecretString: 'two' });
    expect(current()).toBe('two');
  });

  it('creates an empty secret when the template has no value', () => {
    const { apply, store } = prepare();
    apply({});
    expect(store.find('app/db')?.versions).toEqual({});
  });

  it('refuses a file that is not a secret', () => {
    const { folder } = prepare();
    writeFileSync(join(folder, 'x.json'), '{"na');
    expect(() => openSecretStore(folder, () => 0)).toThrow(
      expect.objectContaining({ code: 'DATA_FOLDER_UNREADABLE' }),
    );
  });
});
