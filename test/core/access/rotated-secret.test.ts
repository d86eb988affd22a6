// Two shared secrets at a time: tokens of both are valid while a secret is rotated, and an unusable one lets nobody in.
import { describe, expect, it } from 'vitest';
import type { JwtPorts } from '../../../core/access/jwt.ts';
import { toJwtMethod } from '../../../core/access/jwt-method.ts';
import { accessSchema } from '../../../core/settings/access-schema.ts';
import { verifyText } from './jwt-neuron.ts';
import { CLAIMS, portsWithSecrets, SECRET, signWithSecret } from './tokens.ts';

const OLD = 'the secret before the rotation, long enough';
const ROTATED = { sharedSecret: { secret: 'new', previous: 'old' } };

const signed = (secret: string, alg = 'HS256') => signWithSecret(CLAIMS, { alg }, secret);

/** Ports with the secrets that have a value. */
function portsWith(values: { readonly new?: string; readonly old?: string }): JwtPorts {
  return portsWithSecrets(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`org-acme/jwt/${name}`, value])),
  );
}

const outcomeOf = async (token: string, values: Parameters<typeof portsWith>[0], jwt: object = ROTATED) => {
  const result = await verifyText(token, jwt, portsWith(values));
  return result.outcome === 'configuration' ? result.reason : result.outcome;
};

describe('settings with the secret before this one', () => {
  it('name both', () => {
    const { jwt } = accessSchema.parse({ jwt: ROTATED });
    expect(jwt === undefined ? undefined : toJwtMethod(jwt)?.signature).toEqual({
      kind: 'sharedSecret',
      secretName: 'new',
      previousSecretName: 'old',
      algorithms: ['HS256'],
    });
  });

  it.each(['', 'Old', 'a b', null, 7, ['old'], { secret: 'old' }])(
    'are none with the name %j',
    (previous) => {
      expect(accessSchema.safeParse({ jwt: { sharedSecret: { secret: 'new', previous } } }).success).toBe(
        false,
      );
    },
  );

  it('are none without the secret itself', () => {
    expect(accessSchema.safeParse({ jwt: { sharedSecret: { previous: 'old' } } }).success).toBe(false);
  });
});

describe('a token while a secret is rotated', () => {
  const both = { new: SECRET, old: OLD };

  it('is valid by either secret, and by no third one', async () => {
    expect(await outcomeOf(signed(SECRET), both)).toBe('valid');
    expect(await outcomeOf(signed(OLD), both)).toBe('valid');
    expect(await outcomeOf(signed('a third secret, as long as the others'), both)).toBe('invalid');
  });

  it('is invalid by the old secret as soon as the settings no longer name it', async () => {
    const ended = { sharedSecret: { secret: 'new' } };
    expect(await outcomeOf(signed(OLD), both, ended)).toBe('invalid');
    expect(await outcomeOf(signed(SECRET), both, ended)).toBe('valid');
  });

  it('is valid by the old secret until the new one is set, and 500 by any other', async () => {
    expect(await outcomeOf(signed(OLD), { old: OLD })).toBe('valid');
    expect(await outcomeOf(signed(SECRET), { old: OLD })).toBe('the secret for JWTs is not set');
  });

  it.each([
    ['is not set', undefined, 'is not set'],
    ['is empty', ' ', 'is empty'],
    ['is known', 'supersecret', 'is a value that is known from documentation and examples'],
    [
      'is short',
      'Ab1-'.repeat(7),
      'has 28 bytes; whoever has one token can try out secrets of less than 32 bytes unseen',
    ],
  ])('is 500 where it is not of the new secret and the old one %s', async (_name, old, flaw) => {
    const values = { new: SECRET, ...(old === undefined ? {} : { old }) };
    expect(await outcomeOf(signed(SECRET), values)).toBe('valid');
    const rejected = `the previous secret for JWTs ${flaw}`;
    expect(await outcomeOf(signed(old ?? OLD), values)).toBe(rejected);
    expect(await outcomeOf(signed('a third secret, as long as the others'), values)).toBe(rejected);
  });

  it('is 500 for an old secret that is shorter than the hash of the token', async () => {
    const jwt = { ...ROTATED, algorithms: ['HS256', 'HS512'] };
    const short = 'Ab1-'.repeat(15);
    expect(await outcomeOf(signed(short), { new: SECRET, old: short }, jwt)).toBe('valid');
    expect(await outcomeOf(signed(short, 'HS512'), { new: SECRET, old: short }, jwt)).toBe(
      'the previous secret for JWTs has 60 bytes; HS512 requires at least 64, the size of its hash',
    );
  });

  it('names the unusable new secret where both are', async () => {
    expect(await outcomeOf(signed(SECRET), {})).toBe('the secret for JWTs is not set');
  });

  it('is verified again where either secret has changed, each read once more and in turn', async () => {
    const asked: string[] = [];
    let reading = 0;
    const changed = (name: string): JwtPorts => ({
      ...portsWithSecrets(),
      secrets: {
        read: async (_id, _purpose, one, detail) => {
          expect(reading).toBe(0);
          reading += 1;
          await Promise.resolve();
          reading -= 1;
          const isFresh = detail?.fresh === true;
          asked.push(`${one}${isFresh ? ' fresh' : ''}`);
          if (one !== name) return 'another secret, as long as the right one';
          return isFresh ? SECRET : OLD;
        },
      },
    });
    for (const name of ['new', 'old']) {
      asked.length = 0;
      expect((await verifyText(signed(SECRET), ROTATED, changed(name))).outcome).toBe('valid');
      expect(asked).toEqual(['new', 'old', 'new fresh', 'old fresh']);
    }
  });

  it('is verified by both secrets once where neither has changed', async () => {
    let verified = 0;
    const ports = portsWith(both);
    const counting: JwtPorts = {
      ...ports,
      verifyWithSecret: (...words) => {
        verified += 1;
        return ports.verifyWithSecret(...words);
      },
    };
    const token = signed('a third secret, as long as the others');
    expect((await verifyText(token, ROTATED, counting)).outcome).toBe('invalid');
    expect(verified).toBe(2);
    verified = 0;
    expect((await verifyText(signed(SECRET), ROTATED, counting)).outcome).toBe('valid');
    expect(verified).toBe(1);
  });

  it('is 503 where the old secret cannot be read', async () => {
    const ports = portsWith(both);
    const down: JwtPorts = {
      ...ports,
      secrets: {
        read: (...words) =>
          words[2] === 'old' ? Promise.reject(new Error('down')) : ports.secrets.read(...words),
      },
    };
    expect((await verifyText(signed(OLD), ROTATED, down)).outcome).toBe('unavailable');
  });
});
