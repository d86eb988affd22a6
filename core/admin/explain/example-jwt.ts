// A JWT that is valid for given settings, and the ports that verify it: for explaining what a valid one would change.

import type { JwtPorts } from '../../access/jwt.ts';
import type { JwtMethod } from '../../access/jwt-method.ts';
import type { VerificationKey } from '../../ports/jwt.ts';

/** A token that exists nowhere and is good for nothing but these ports. */
interface ExampleJwt {
  readonly token: string;
  readonly ports: JwtPorts;
}

/** Unix epoch seconds: the year 2033; the moment of the explanation is long before. */
const EXPIRY = 2_000_000_000;

/** Ports that know no secret and no key. */
export const NO_JWTS: JwtPorts = {
  secrets: { read: async () => undefined },
  verifyWithSecret: async () => false,
  keySets: {
    openBudget: () => ({ endsAtMs: 0 }),
    read: async () => 'failed',
    refresh: async () => 'failed',
  },
};

/** A token with everything that the settings ask of one; the signature is taken for true. */
export function makeExampleJwt({ signature, claims, usernamePath }: JwtMethod): ExampleJwt {
  const payload = {
    ...nest(usernamePath ?? [], 'example'),
    exp: EXPIRY,
    ...(claims.issuers === undefined ? {} : { iss: claims.issuers[0] }),
    ...(claims.audiences === undefined ? {} : { aud: claims.audiences[0] }),
  };
  const token = [{ alg: signature.algorithms[0] }, payload].map(encode).join('.');
  return { token: `${token}.AAAA`, ports: trustEverything(signature) };
}

function trustEverything(signature: JwtMethod['signature']): JwtPorts {
  const algorithms = signature.kind === 'jwks' ? signature.algorithms : [];
  const key: VerificationKey = { kid: undefined, algorithms, verify: async () => true };
  return {
    secrets: { read: async () => 'the secret of an example that is never asked for' },
    verifyWithSecret: async () => true,
    keySets: { ...NO_JWTS.keySets, read: async () => [key] },
  };
}

/** `nest(['a', 'b'], v)` is `{ a: { b: v } }`; names that a literal would treat apart are members like all others. */
function nest([name, ...names]: readonly string[], value: unknown): object {
  if (name === undefined) return {};
  return Object.fromEntries([[name, names.length === 0 ? value : nest(names, value)]]);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
