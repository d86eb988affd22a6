// Opens what judging a JWT asks: the organization's secrets, and the endpoints that publish keys.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { verifyWithSecret } from '../adapters/jwt/verify-with-secret.ts';
import { systemClock } from '../adapters/platform/clock.ts';
import { createSecretReader } from '../adapters/secrets/reader.ts';
import type { JwtPorts } from '../core/access/jwt.ts';
import { cacheKeySets } from '../core/access/key-set-cache.ts';
import type { Stack } from './stack.ts';

/** A command ends before anything is read twice. */
const ONCE_MS = 60_000;

/** The name that adapters/http reads when it is loaded. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** Ports of a stack, with the operator's rights; for the local run loopback addresses are admitted as its functions admit them. */
export async function composeJwtPorts(stack: Stack, client: SecretsManagerClient): Promise<JwtPorts> {
  if (stack.local !== undefined) Object.assign(globalThis, { [LOOPBACK_HOOK]: true });
  const { createHttp } = await import('../adapters/http/request.ts');
  const { createKeySetFetch } = await import('../adapters/jwks/fetch-key-set.ts');
  return {
    secrets: createSecretReader({
      prefix: stack.outputs.secretPrefix,
      freshMs: ONCE_MS,
      clock: systemClock,
      client,
    }),
    verifyWithSecret,
    keySets: cacheKeySets(createKeySetFetch(createHttp()), systemClock, {
      freshMs: ONCE_MS,
      staleMs: ONCE_MS,
      refetchMs: ONCE_MS,
      failedMs: ONCE_MS,
      maximum: 10,
    }),
  };
}
