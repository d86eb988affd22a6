// Opens what judging a JWT asks: the organization's secrets, and the endpoints that publish keys.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { verifyWithSecret } from '../../adapters/jwt/verify-with-secret.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import type { JwtPorts } from '../../core/access/jwt.ts';
import { cacheKeySets } from '../../core/access/key-set-cache.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** A command ends before anything is read twice. */
const ONCE_MS = 60_000;

/** The name that adapters/http reads when it is loaded. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** Ports of a stack, with the operator's rights. */
export function composeJwtPorts(
  { outputs, local }: Stack,
  client: SecretsManagerClient,
): Pick<Ports, 'secretReader' | 'openJwt'> {
  const secretReader = createSecretReader({
    prefix: outputs.secretPrefix,
    ttlMs: ONCE_MS,
    clock: systemClock,
    client,
  });
  return { secretReader, openJwt: () => openJwt(secretReader, local !== undefined) };
}

/** For the local run loopback addresses are admitted as its functions admit them: before what connects is loaded. */
async function openJwt(secrets: SecretReader, isLocal: boolean): Promise<JwtPorts> {
  if (isLocal) Object.assign(globalThis, { [LOOPBACK_HOOK]: true });
  const { createHttp } = await import('../../adapters/http/request.ts');
  const { createKeySetFetch } = await import('../../adapters/jwks/fetch-key-set.ts');
  return {
    secrets,
    verifyWithSecret,
    keySets: cacheKeySets(createKeySetFetch(createHttp()), systemClock, {
      ttlMs: ONCE_MS,
      maxStaleMs: ONCE_MS,
      refetchAfterMs: ONCE_MS,
      errorBackoffMs: ONCE_MS,
      maximum: 10,
    }),
  };
}
