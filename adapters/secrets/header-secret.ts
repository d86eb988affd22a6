// Headers from a secret of Secrets Manager: a JSON object of names and values.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { lazy } from '../../core/async/lazy.ts';
import { ageOf, type Clock, type Moment, momentOf } from '../../core/time/clock.ts';

/** Times in milliseconds. */
interface HeaderSecretSettings {
  /** Name or ARN. */
  readonly secretId: string;
  /** How long headers are used without reading them again. */
  readonly ttlMs: number;
  readonly clock: Clock;
  /** @default one of its own, loaded and made by the first read */
  readonly client?: SecretsManagerClient;
}

export type Headers = Readonly<Record<string, string>>;

/** A token (RFC 9110, 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible ASCII, and blanks within (RFC 9110, 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,8190}[\x21-\x7e])?$/;
/** Set by the request itself. */
const RESERVED = /^(?:accept|connection|content-(?:encoding|length|type)|host|transfer-encoding)$/;

/** Throws when the secret is missing or cannot be read, or a header is invalid. The error holds neither name nor value. */
export function createHeaderSecret(settings: HeaderSecretSettings): () => Promise<Headers> {
  const { secretId, ttlMs, clock } = settings;
  const openStore = lazy(async () => (await import('./read-secret.ts')).openSecretStore(settings.client));
  let cached: { readonly headers: Headers; readonly at: Moment } | undefined;
  return async () => {
    if (cached !== undefined && ageOf(clock, cached.at) < ttlMs) return cached.headers;
    const at = momentOf(clock);
    const readSecret = await openStore();
    const values = (await readSecret(secretId))?.values;
    if (values === undefined) throw new Error('there is no secret of headers');
    const headers = [...values].map(([name, value]) => [name.toLowerCase(), value] as const);
    if (!headers.every(isHeader)) throw new Error('the secret of headers has one that cannot be sent');
    cached = { headers: Object.fromEntries(headers), at };
    return cached.headers;
  };
}

function isHeader([name, value]: readonly [string, string]): boolean {
  return NAME.test(name) && VALUE.test(value) && !RESERVED.test(name);
}
