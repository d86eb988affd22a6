// What a request with a token costs an authorizer that has seen one before: no store, no network.
import { describe, expect, it } from 'vitest';
import { signWithKey, signWithSecret } from '../../core/access/tokens.ts';
import { createWarmAuthorizer, WARM_KEYS } from '../../support/warm-authorizer.ts';

const exp = Math.floor(Date.now() / 1000) + 600;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const byKey = (alg: (typeof ALGORITHMS)[number], kid: string = alg) =>
  signWithKey(WARM_KEYS[alg].privateKey, { sub: 'ada', exp }, { alg, kid });
const bySecret = (secret?: string) => signWithSecret({ sub: 'ada', exp }, { alg: 'HS256' }, secret);

describe('an authorizer', () => {
  it('asks for settings and key set once, and for nothing afterwards, whatever key signed', async () => {
    const { steps, call } = createWarmAuthorizer();
    for (let round = 0; round < 25; round += 1) {
      for (const alg of ALGORITHMS) {
        const { context } = await call('jwks', byKey(alg));
        expect(context).toMatchObject({ outcome: 'allow', authentication: 'jwt', username: 'YWRh' });
      }
    }
    expect(steps).toEqual({ settings: 1, keys: 0, secrets: 0, keySets: 1, logs: 0 });
  });

  it('asks for settings and secret once, and for nothing afterwards', async () => {
    const { steps, call } = createWarmAuthorizer();
    for (let round = 0; round < 100; round += 1) {
      expect((await call('secret', bySecret())).context).toMatchObject({
        outcome: 'allow',
        authentication: 'jwt',
      });
    }
    expect(steps).toEqual({ settings: 1, keys: 0, secrets: 1, keySets: 0, logs: 0 });
  });

  it('asks for nothing more because of forged tokens but their entries in the log, within the budget of refusals', async () => {
    const { steps, call } = createWarmAuthorizer();
    for (let round = 0; round < 200; round += 1) {
      await expect(call('jwks', byKey('ES256', `unknown-${round}`))).rejects.toThrow(/^Unauthorized$/);
      await expect(call('secret', bySecret('another secret, as long as the right one'))).rejects.toThrow(
        /^Unauthorized$/,
      );
    }
    // One more read of the secret, since it may have been changed.
    expect(steps).toMatchObject({ settings: 2, keys: 0, secrets: 2, keySets: 1 });
    expect(steps.logs).toBeLessThanOrEqual(2 * 60);
  });

  it('rejects a 401 with a stack of one word, since the runtime logs it for every such call, and never with an empty one', async () => {
    const { call } = createWarmAuthorizer();
    const error = await call('jwks', 'no token').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ message: 'Unauthorized', name: 'Error', stack: 'Unauthorized' });
    expect(Object.keys(error as Error)).toEqual([]);
  });
});
