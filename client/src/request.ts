// Builds the request of a call. The caller's objects are never changed.
import type { CallNeuronOptions } from './types.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PREVIEW_KEY = 'X-Preview-Key';
const LOCAL_BASE_URL = 'http://127.0.0.1:3000';

/** Put in by the build (`npm run build:client -- --base-url URL`); unknown to the sources. */
declare const BUILD_BASE_URL: string | undefined;

/**
 * The address of the service without a slash at its end. Throws `TypeError` for what is not an http or https URL; the message does not
 * repeat the value, which may hold a password.
 */
export function parseBaseUrl(args: string | undefined): string {
  const url = parseUrl(args ?? baseUrlOfEnvironment() ?? baseUrlOfBuild() ?? LOCAL_BASE_URL);
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

function baseUrlOfBuild(): string | undefined {
  return typeof BUILD_BASE_URL === 'string' ? BUILD_BASE_URL : undefined;
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

/** The URL of a call. Throws `TypeError` for an invalid slug, for invalid options, and for a revision without a key or a key without a revision. */
export function buildUrl(
  baseUrl: string,
  organization: string,
  neuron: string,
  options: CallNeuronOptions,
): string {
  // Without types it is easily the input itself.
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

/** The body of a call. What has the wrong type is sent as it is, so that the service rejects it; what is undefined is not sent. */
export function buildBody(options: CallNeuronOptions): string {
  const { input, messages, tools, toolChoice, responseFormat, parameters } = options;
  const text = input === undefined && messages === undefined ? '' : input;
  return JSON.stringify({ input: text, messages, tools, toolChoice, responseFormat, parameters });
}

/** The idempotency key of a call and all its retries; undefined for none. Throws `TypeError` for one that the service would refuse. */
export function idempotencyKeyOf({ idempotencyKey, idempotent }: CallNeuronOptions): string | undefined {
  // 128 random bits. Not `randomUUID`, which pages without TLS do not have.
  if (idempotencyKey === undefined)
    return idempotent === true ? crypto.getRandomValues(new Uint32Array(4)).join('-') : undefined;
  if (typeof idempotencyKey !== 'string' || !/^[!-~]{1,255}$/.test(idempotencyKey))
    throw new TypeError('idempotencyKey must have 1 to 255 visible ASCII characters');
  if (idempotent === undefined) return idempotencyKey;
  throw new TypeError('give idempotencyKey or idempotent, not both');
}

/** The headers of a call. Throws `TypeError` that names a header and never its value. */
export function buildHeaders(
  options: CallNeuronOptions,
  token: string | undefined,
  key: string | undefined,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) setHeader(headers, name, value);
  headers.set('Content-Type', 'application/json');
  if (token !== undefined && token !== '') setHeader(headers, 'Authorization', `Bearer ${token}`);
  // A header and not `?key=`: addresses end up in logs.
  if (options.key !== undefined) setHeader(headers, PREVIEW_KEY, options.key);
  if (key !== undefined) headers.set('Idempotency-Key', key);
  return headers;
}

/** The credentials and the preview key, which no error may repeat. */
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
