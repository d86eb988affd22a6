// Builds the request of a call. The caller's objects are never changed.
import type { CallNeuronOptions } from './types.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PREVIEW_KEY = 'X-Preview-Key';
const LOCAL_BASE_URL = 'http://127.0.0.1:3000';

/** Defined by the build (`npm run build:client -- --base-url URL`) only. */
declare const BUILD_BASE_URL: string | undefined;

/**
 * The address of the service without a slash at its end. Throws `TypeError` for anything but an http or https URL; the message does not
 * repeat the value, which may hold a password.
 */
export function parseBaseUrl(input: string | undefined): string {
  const builtIn = typeof BUILD_BASE_URL === 'string' ? BUILD_BASE_URL : undefined;
  const url = parseUrl(input ?? readEnvironment('NEURON_BASE_URL') ?? builtIn ?? LOCAL_BASE_URL);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!/^https?:$/.test(url.protocol) || !isPlain) {
    throw new TypeError('baseURL must be an http or https URL without user, password, query and fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The platform's own message repeats the value. */
function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new TypeError('baseURL must be a URL such as https://api.example.com/prod');
  }
}

/** A variable of the environment, where the platform has one. */
export function readEnvironment(name: 'NEURON_BASE_URL' | 'NEURON_API_KEY'): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    // Deno throws without permission to read the environment.
    return undefined;
  }
}

/** Throws `TypeError` for an invalid slug, for invalid options, and for a revision without a key or a key without a revision. */
export function buildUrl(
  baseUrl: string,
  organization: string,
  neuron: string,
  options: CallNeuronOptions,
): string {
  // Without types, a caller may pass the input itself.
  if (typeof options !== 'object' || options === null)
    throw new TypeError('options must be an object such as { input: "Hello" }');
  const { revisionId, key } = options;
  if ((revisionId === undefined) !== (key === undefined))
    throw new TypeError('revisionId and key belong together: give both or neither');
  const path = [slug('organization', organization), slug('neuron', neuron)];
  if (revisionId !== undefined) path.push(slug('revisionId', revisionId));
  const query = new URLSearchParams();
  if (options.bypassCache === true) query.set('bypassCache', 'true');
  if (options.rawOutput === true) query.set('rawOutput', 'true');
  const search = query.toString();
  return `${baseUrl}/${path.join('/')}${search === '' ? '' : `?${search}`}`;
}

function slug(name: string, value: string): string {
  if (typeof value !== 'string' || !SLUG.test(value)) {
    throw new TypeError(
      `${name} must be a slug: 1 to 63 characters of a-z, 0-9 and -, not at the ends, such as "acme"`,
    );
  }
  return encodeURIComponent(value);
}

/** Values of a wrong type are sent as they are, so that the service rejects them; undefined ones are not sent. */
export function buildBody(options: CallNeuronOptions): string {
  const { input, messages, tools, toolChoice, responseFormat, parameters, variables } = options;
  const text = input === undefined && messages === undefined ? '' : input;
  return JSON.stringify({ input: text, messages, tools, toolChoice, responseFormat, parameters, variables });
}

/** The idempotency key of a call and all its retries; undefined for none. Throws `TypeError` for one that the service would reject. */
export function idempotencyKeyOf({ idempotencyKey, idempotent }: CallNeuronOptions): string | undefined {
  // 128 random bits. Pages without TLS have no `randomUUID`.
  if (idempotencyKey === undefined)
    return idempotent === true ? crypto.getRandomValues(new Uint32Array(4)).join('-') : undefined;
  if (typeof idempotencyKey !== 'string' || !/^[!-~]{1,255}$/.test(idempotencyKey))
    throw new TypeError('idempotencyKey must have 1 to 255 visible ASCII characters');
  if (idempotent === undefined) return idempotencyKey;
  throw new TypeError('give idempotencyKey or idempotent, not both');
}

/** Throws `TypeError` that names an invalid header and never its value. */
export function buildHeaders(
  options: CallNeuronOptions,
  token: string | undefined,
  key: string | undefined,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) setHeader(headers, name, value);
  headers.set('Content-Type', 'application/json');
  if (token !== undefined && token !== '') setHeader(headers, 'Authorization', `Bearer ${token}`);
  // Not `?key=`: addresses end up in logs.
  if (options.key !== undefined) setHeader(headers, PREVIEW_KEY, options.key);
  if (key !== undefined) headers.set('Idempotency-Key', key);
  return headers;
}

/** Credentials and preview key, which no error may repeat. */
export function secretsOf(headers: Headers): string[] {
  const credentials = headers.get('Authorization')?.replace(/^\S+\s+/, '');
  return [credentials, headers.get(PREVIEW_KEY)].flatMap((secret) => secret || []);
}

/** The platform's own message quotes the value, which may be a token. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(
      `the value for the header ${JSON.stringify(name)} has characters that a header cannot contain`,
    );
  }
}
