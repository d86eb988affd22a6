// Headers that are kept in a secret of Secrets Manager: a JSON object of names and values.
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
/** The request's own. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['accept', 'connection', 'content-encoding', 'content-length', 'content-type', 'host'],
  'transfer-encoding',
]);

/** Throws when there is no such secret, it cannot be read, or a header is none; neither name nor value is in the error. */
export function createHeaderSecret(settings: HeaderSecretSettings): () => Promise<Headers> {
  const { secretId, ttlMs, clock } = settings;
  const openStore = lazy(async () => (await import('./read-secret.ts')).openSecretStore(settings.client));
  let known: { readonly headers: Headers; readonly at: Moment } | undefined;
  return async () => {
    if (known !== undefined && ageOf(clock, known.at) < ttlMs) return known.headers;
    const at = momentOf(clock);
    const readSecret = await openStore();
    const values = (await readSecret(secretId))?.values;
    if (values === undefined) throw new Error('there is no secret of headers');
    const headers = [...values].map(([name, value]) => [name.toLowerCase(), value] as const);
    if (!headers.every(isHeader)) throw new Error('the secret of headers has one that cannot be sent');
    known = { headers: Object.fromEntries(headers), at };
    return known.headers;
  };
}

function isHeader([name, value]: readonly [string, string]): boolean {
  return NAME.test(name) && VALUE.test(value) && !RESERVED.has(name);
}
