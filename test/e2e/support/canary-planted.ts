// The secrets that a canary test plants in a running stack.
import { createHmac } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { systemRandom } from '../../../adapters/platform/random.ts';
import { generateApiKey } from '../../../core/access/api-key.ts';
import { LOG_KEY_NAME } from '../../../core/ports/log-key.ts';
import { type AccessStack, plantKey, readNeuron } from './access-stack.ts';
import { type Canary, randomText } from './canaries.ts';
import { outputOf, readOutputs } from './tables.ts';

/** Everything that is planted. */
export interface Planted {
  /** Whole keys by what they are. */
  readonly apiKeys: Readonly<Record<'valid' | 'revoked' | 'expired' | 'foreign' | 'unknown', string>>;
  readonly previewKey: string;
  readonly wrongPreviewKey: string;
  readonly providerKey: string;
  readonly jwts: Readonly<Record<'valid' | 'forged' | 'expired', string>>;
  /** Texts of callers, for neurons that keep a hash of them and for those that keep nothing. */
  readonly prompt: string;
  /** What callers send where nobody asked for it. */
  readonly stray: string;
  /** In all of the above and in the stores. */
  readonly secrets: readonly Canary[];
  /** Texts that only the caller who sent them may see again. */
  readonly texts: readonly Canary[];
}

/** How a key begins that everybody may see: `nrn_` and its id. */
const PUBLIC_BEGINNING = 'nrn_000000000000_'.length;

/** Sets the secrets through the command, as an operator does, and takes what the service has minted itself. */
export async function plantSecrets({ stack, dataFolder, store, keys }: AccessStack): Promise<Planted> {
  const [providerKey, sharedSecret, prompt, stray, claim, wrongPreviewKey] = Array.from(
    { length: 6 },
    randomText,
  ) as [string, string, string, string, string, string];
  const set = (name: string, purpose: string, input: string) =>
    stack.operate(['secrets', 'set', 'acme', name, '--for', purpose], { input });
  await set('provider-key', 'providers', providerKey);
  await set('shared', 'jwt', sharedSecret);
  const valid = (await stack.operate(['keys', 'create', 'acme', '--name', 'canary'])).trim();
  const previewKey = (await stack.operate(['versions', 'key', 'acme/hashed', 'v1', '--new'])).trim();
  const { organization } = await readNeuron(store, 'acme', 'keyed');
  const plant = async (parts: object, owner = organization.id) => (await plantKey(keys, owner, parts)).key;
  const apiKeys = {
    valid,
    revoked: await plant({ revokedAt: '2026-06-01T00:00:00.000Z' }),
    expired: await plant({ expiresAt: '2026-06-01T00:00:00.000Z' }),
    foreign: await plant({}, 'an-organization-of-its-own'),
    unknown: generateApiKey(systemRandom).key,
  };
  const jwts = {
    valid: signJwt(sharedSecret, { sub: 'ada', claim, exp: 4_000_000_000 }),
    forged: signJwt(randomText(), { sub: 'ada', claim, exp: 4_000_000_000 }),
    expired: signJwt(sharedSecret, { sub: 'ada', claim, exp: 1_000_000_000 }),
  };
  const hmacKey = await readHmacKey(dataFolder, organization.id);
  const canary = (name: string, value: string) => ({ name, value });
  return {
    ...{ apiKeys, previewKey, wrongPreviewKey, providerKey, jwts, prompt, stray },
    secrets: [
      ...Object.entries(apiKeys).map(([kind, key]) =>
        canary(`the ${kind} key`, key.slice(PUBLIC_BEGINNING, -4)),
      ),
      ...Object.entries(jwts).map(([kind, jwt]) =>
        canary(`the signature of the ${kind} JWT`, jwt.split('.')[2] ?? ''),
      ),
      canary('a claim of the JWTs', claim),
      canary('the preview key', previewKey),
      canary('a wrong preview key', wrongPreviewKey),
      canary('the key of the provider', providerKey),
      canary('the shared secret', sharedSecret),
      canary('the HMAC key', hmacKey),
      canary('the HMAC key as bytes', Buffer.from(hmacKey, 'base64').toString('latin1')),
      canary('a stray text', stray),
    ],
    texts: [canary('a prompt', prompt)],
  };
}

function signJwt(secret: string, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** The key of `bodies: hash`, which no command shows. */
async function readHmacKey(dataFolder: string, organizationId: string): Promise<string> {
  const client = new SecretsManagerClient({
    endpoint: readOutputs(dataFolder).endpoints.secretsmanager,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const SecretId = `${outputOf(dataFolder, 'SecretPrefix')}/${organizationId}/providers`;
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  client.destroy();
  const key = (JSON.parse(SecretString ?? '{}') as Record<string, string>)[LOG_KEY_NAME];
  if (key === undefined || key.length < 40) throw new Error('no HMAC key');
  return key;
}
