// Neurons that take JWTs, and tokens for them as an issuer would sign them now.
import { jwkOf, PAIRS } from '../../adapters/jwt/key-pairs.ts';
import { signWithKey, signWithSecret } from '../../core/access/tokens.ts';
import type { Answer } from './call.ts';
import type { Stack } from './stack.ts';

/** A secret that must never be seen anywhere but in Secrets Manager. */
export const SHARED_SECRET = 'canary-secret-of-the-issuer-0123456789abcdef';

/** Claims that hold for ten minutes from now. */
export function claimsNow(more: object = {}): Record<string, unknown> {
  return { sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600, ...more };
}

/** A token by shared secret. */
export const bySecret = (more: object = {}, secret: string = SHARED_SECRET) =>
  signWithSecret(claimsNow(more), { alg: 'HS256', typ: 'JWT' }, secret);

/** Keys of an issuer by name: `one` and `two` are of different kinds. */
export const ISSUER_KEYS = {
  one: { pair: PAIRS.ES256, alg: 'ES256' },
  two: { pair: PAIRS.RS256, alg: 'RS256' },
  three: { pair: PAIRS.EdDSA, alg: 'EdDSA' },
} as const;
export type IssuerKey = keyof typeof ISSUER_KEYS;

/** The public half in a key set, with its name as `kid`. */
export function published(name: IssuerKey, members: object = {}): Record<string, unknown> {
  return jwkOf(ISSUER_KEYS[name].pair, { kid: name, use: 'sig', ...members });
}

/** A token by key; `kid` is the key's name unless the header says otherwise. */
export function byKey(name: IssuerKey, more: object = {}, header: object = {}): string {
  const { pair, alg } = ISSUER_KEYS[name];
  return signWithKey(pair.privateKey, claimsNow(more), { alg, kid: name, ...header }, alg);
}

/** A neuron whose output is the username of its caller. */
export function jwtNeuron(slug: string, jwt: object, access: object = {}): string {
  const settings = JSON.stringify({ jwt: { usernamePath: 'sub', ...jwt }, ...access });
  return `neuron: acme/${slug}\naccess: ${settings}\nflow: [{ serveOutput: { text: "{{username}}" } }]`;
}

/** Documents of the organization and its neurons. */
export function settingsOf(...neurons: readonly string[]): string {
  return ['organization: acme', ...neurons].join('\n---\n');
}

/** A call with a token; none where it is undefined. */
export function callWith(stack: Stack, slug: string, token: string | undefined): Promise<Answer> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return stack.call(`/acme/${slug}?rawOutput=1`, { json: { input: 'Hello' }, headers });
}

/** The same through OpenAI's interface, as its clients call. */
export function completeWith(stack: Stack, slug: string, token: string | undefined): Promise<Answer> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const json = { model: slug, messages: [{ role: 'user', content: 'Hello' }] };
  return stack.call(`/v1/acme/${slug}/chat/completions`, { json, headers });
}
