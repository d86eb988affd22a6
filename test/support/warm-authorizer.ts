// An authorizer with a neuron for tokens, over stores in memory that count what is asked of them: for tests and benchmarks.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { parseKeySet } from '../../adapters/jwks/fetch-key-set.ts';
import { verifyWithSecret } from '../../adapters/jwt/verify-signature.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import { cacheKeySets } from '../../core/access/key-set-cache.ts';
import { createJournal } from '../../core/logs/journal.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import { authorize } from '../../lambdas/authorizer/authorize.ts';
import { jwkOf, type KeyPair, PAIRS } from '../adapters/jwt/key-pairs.ts';
import { SECRET } from '../core/access/tokens.ts';

/** Keys of the one JWKS URL, by `kid`. */
export const WARM_KEYS: Readonly<Record<'RS256' | 'PS256' | 'ES256' | 'EdDSA', KeyPair>> = {
  RS256: PAIRS.RS256,
  PS256: PAIRS.PS256,
  ES256: PAIRS.ES256,
  EdDSA: PAIRS.EdDSA,
};

/** Calls that reached a store or a network so far, by kind. */
export interface Steps {
  settings: number;
  keys: number;
  secrets: number;
  keySets: number;
  logs: number;
}

/** The running authorizer. */
export interface WarmAuthorizer {
  readonly steps: Steps;
  /** One request with a token, for the neuron `acme/jwks` or `acme/secret`. */
  call(neuron: 'jwks' | 'secret', token: string): Promise<APIGatewayAuthorizerResult>;
}

const HOUR_MS = 3_600_000;
const JWTS = {
  jwks: { jwks: ['https://login.example.com/jwks'], usernamePath: 'sub' },
  secret: { sharedSecret: { secret: 'support-jwt' }, usernamePath: 'sub' },
};

/** Makes one with caches that are still empty: the first call of each neuron fills them. */
export function createWarmAuthorizer(): WarmAuthorizer {
  const steps: Steps = { settings: 0, keys: 0, secrets: 0, keySets: 0, logs: 0 };
  const ports = {
    stage: 'test',
    clock: systemClock,
    lines: { write: () => undefined },
    journal: createJournal(),
    settings: countSettings(steps),
    organizations: { readId: async () => 'org-acme' },
    keys: {
      read: async () => {
        steps.keys += 1;
        return undefined;
      },
    },
    logs: {
      put: async () => {
        steps.logs += 1;
        return true;
      },
    },
    jwt: { secrets: countSecrets(steps), verifyWithSecret, keySets: countKeySets(steps) },
  };
  return { steps, call: (neuron, token) => authorize(eventFor(neuron, token), ports) };
}

function countSettings(steps: Steps) {
  const store = {
    read: async (organization: string, neuron: string) => {
      steps.settings += 1;
      const [access] = Object.entries(JWTS).flatMap(([slug, jwt]) => (slug === neuron ? [{ jwt }] : []));
      const owner = {
        id: 'org-acme',
        slug: organization,
        document: { organization },
        pause: undefined,
        write: 1,
      };
      const document = { neuron: `${organization}/${neuron}`, access };
      const found = {
        id: `neuron-${neuron}`,
        organizationId: owner.id,
        slug: neuron,
        document,
        deployment: { version: 'v1', number: 1 },
        previewKeys: {},
        cacheGeneration: 0,
        write: 1,
      };
      return { organization: owner, neuron: found, maintenance: undefined };
    },
  };
  const limits = { ttlMs: HOUR_MS, maxStaleMs: HOUR_MS, unknownMs: HOUR_MS, maximum: 10 };
  return cacheSettings(store, systemClock, limits);
}

/** The real reader, before a client that answers what Secrets Manager would. */
function countSecrets(steps: Steps) {
  const client = {
    send: async () => {
      steps.secrets += 1;
      return { SecretString: JSON.stringify({ 'support-jwt': SECRET }), VersionId: '1' };
    },
  } as unknown as NonNullable<Parameters<typeof createSecretReader>[0]['client']>;
  return createSecretReader({ prefix: 'neuron/test', ttlMs: HOUR_MS, clock: systemClock, client });
}

function countKeySets(steps: Steps) {
  const keys = Object.entries(WARM_KEYS).map(([alg, pair]) => jwkOf(pair, { kid: alg, alg }));
  const body = Buffer.from(JSON.stringify({ keys }));
  const limits = {
    ttlMs: HOUR_MS,
    maxStaleMs: HOUR_MS,
    refetchAfterMs: HOUR_MS,
    errorBackoffMs: HOUR_MS,
    maximum: 10,
  };
  return cacheKeySets(
    async () => {
      steps.keySets += 1;
      return parseKeySet(body);
    },
    systemClock,
    limits,
  );
}

function eventFor(neuron: string, token: string): APIGatewayRequestAuthorizerEvent {
  const event = {
    type: 'REQUEST',
    methodArn: `arn:aws:execute-api:us-east-1:000000000000:api/prod/POST/acme/${neuron}`,
    pathParameters: { organization: 'acme', neuron },
    multiValueHeaders: { authorization: [`Bearer ${token}`], host: ['example.com'], 'user-agent': ['test'] },
    requestContext: {
      extendedRequestId: 'id',
      requestTimeEpoch: Date.now(),
      identity: { sourceIp: '203.0.113.7' },
    },
  };
  return event as unknown as APIGatewayRequestAuthorizerEvent;
}
