// Builds the request of a call from what the caller gave, which is never changed.
import type { CallNeuronOptions } from './types.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';

/**
 * The address of the service without a slash at its end. Throws `TypeError` for what is not an http or https URL; the message does not
 * repeat the value, which may hold a password.
 */
export function parseBaseUrl(given: string | undefined): string {
  const text = given ?? baseUrlOfEnvironment() ?? DEFAULT_BASE_URL;
  if (!URL.canParse(text)) throw new TypeError('baseURL must be a URL such as https://api.example.com/prod');
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!/^https?:$/.test(url.protocol) || !isPlain) {
    throw new TypeError('baseURL must be an http or https URL without user, password, query and fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function baseUrlOfEnvironment(): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.['NEURON_BASE_URL'] || undefined;
  } catch {
    // Deno refuses to read the environment without a permission: the default serves then.
    return undefined;
  }
}

/** The URL of a call. Throws `TypeError` for a slug that the service cannot have. */
export function buildUrl(
  baseUrl: string,
  organization: string,
  neuron: string,
  options: CallNeuronOptions,
): string {
  const path = [slug('organization', organization), slug('neuron', neuron)].join('/');
  const query = new URLSearchParams();
  if (options.bypassCache === true) query.set('bypassCache', 'true');
  if (options.rawOutput === true) query.set('rawOutput', 'true');
  return `${baseUrl}/${path}${query.size === 0 ? '' : `?${query}`}`;
}

function slug(name: string, value: string): string {
  if (typeof value !== 'string' || !SLUG.test(value)) {
    throw new TypeError(
      `${name} must be a slug: 1 to 63 characters of a-z, 0-9 and -, not at the ends, such as "acme"`,
    );
  }
  return encodeURIComponent(value);
}

/** The headers of a call. Throws `TypeError` that names a header and never its value. */
export function buildHeaders(
  given: Readonly<Record<string, string>> | undefined,
  token: string | undefined,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given ?? {})) setHeader(headers, name, value);
  headers.set('Content-Type', 'application/json');
  if (token !== undefined && token !== '') setHeader(headers, 'Authorization', `Bearer ${token}`);
  return headers;
}

/** The platform's own message quotes the value, which may be a token. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(
      `the value for the header ${JSON.stringify(name)} holds characters that a header cannot carry`,
    );
  }
}
