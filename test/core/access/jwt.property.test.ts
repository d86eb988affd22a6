// Tokens that nobody thought of: every part of a valid one changed, with and without a new signature.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jwkOf, PAIRS } from '../../adapters/jwt/key-pairs.ts';
import { anyText } from '../../support/any-text.ts';
import { BY_JWKS, JWKS_URL, portsWithKeys, verifyText } from './jwt-neuron.ts';
import {
  ALL_SECRETS,
  badClaims,
  badHeader,
  goodClaims,
  KEYS,
  outcomeOf,
  PEM,
  WAYS,
  way,
} from './jwt-ways.ts';
import { CLAIMS, encode, portsWithSecrets, SECRET, signWithSecret } from './tokens.ts';

describe('a valid token', () => {
  it('is valid by every algorithm, with claims and headers of any kind beside those that are checked', async () => {
    const ignored = fc.dictionary(
      fc.oneof(
        fc.constantFrom('jku', 'jwk', 'x5u', 'x5c', 'x5t', 'typ', 'cty'),
        fc.stringMatching(/^z[a-z]{1,8}$/),
      ),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 3 },
    );
    await fc.assert(
      fc.asyncProperty(way, goodClaims, ignored, async (one, claims, header) => {
        expect(await outcomeOf(one, one.sign(claims, header))).toBe('valid');
      }),
    );
  });
});

describe('a token that an issuer signed in spite of the RFCs', () => {
  const insert = (claims: string, member: string) =>
    claims.replace(/\}$/, `${claims === '{}' ? '' : ','}${member}}`);

  it('fails with a claim that may not be, also where a good one of that name comes before it', async () => {
    await fc.assert(
      fc.asyncProperty(way, goodClaims, badClaims, async (one, claims, member) => {
        expect(await outcomeOf(one, one.sign(insert(claims, member)))).toBe('invalid');
      }),
    );
  });

  it('fails with a header that may not be', async () => {
    await fc.assert(
      fc.asyncProperty(way, goodClaims, badHeader, async (one, claims, header) => {
        expect(await outcomeOf(one, one.sign(claims, header))).toBe('invalid');
      }),
    );
  });

  it('fails when its payload is no JSON object', async () => {
    const payload = fc.oneof(
      fc
        .jsonValue()
        .filter((value) => typeof value !== 'object' || value === null || Array.isArray(value))
        .map((value) => JSON.stringify(value)),
      goodClaims.map((claims) => `\ufeff${claims}`),
      goodClaims.map((claims) => claims.slice(0, -1)),
      goodClaims.map((claims) => `${claims}${claims}`),
      goodClaims.map((claims) => `${claims}\u0000`),
    );
    await fc.assert(
      fc.asyncProperty(way, payload, async (one, claims) => {
        expect(await outcomeOf(one, one.sign(claims))).toBe('invalid');
      }),
    );
  });
});

describe('a token that somebody changed', () => {
  const character = fc.oneof(fc.constantFrom(...'.=-_+/ \n\t\0AQw'), anyText(1));
  const change = fc.oneof(
    fc.record({ kind: fc.constant('replace'), at: fc.nat(), by: character }),
    fc.record({ kind: fc.constant('insert'), at: fc.nat(), by: character }),
    fc.record({ kind: fc.constant('delete'), at: fc.nat(), by: fc.constant('') }),
    fc.record({
      kind: fc.constantFrom('append', 'prepend'),
      at: fc.nat(),
      by: fc.string({ minLength: 1, maxLength: 5 }),
    }),
    fc.record({
      kind: fc.constantFrom('swap', 'double', 'truncate', 'case'),
      at: fc.nat(),
      by: fc.constant(''),
    }),
  );

  function apply(text: string, { kind, at, by }: { kind: string; at: number; by: string }): string {
    const place = at % text.length;
    const [before, after] = [text.slice(0, place), text.slice(place + 1)];
    const parts = text.split('.');
    switch (kind) {
      case 'replace':
        return before + by + after;
      case 'insert':
        return text.slice(0, place) + by + text.slice(place);
      case 'delete':
        return before + after;
      case 'append':
        return text + by;
      case 'prepend':
        return by + text;
      case 'swap':
        return [parts[at % 3], parts[(at + 1) % 3], parts[(at + 2) % 3]].join('.');
      case 'double':
        return [...parts, parts[at % 3]].join('.');
      case 'truncate':
        return before;
      default:
        return text.slice(0, place) + text.charAt(place).toUpperCase() + after;
    }
  }

  it('fails, wherever the change is, and nothing else comes of it', async () => {
    await fc.assert(
      fc.asyncProperty(way, fc.array(change, { minLength: 1, maxLength: 3 }), async (one, changes) => {
        const text = one.sign(CLAIMS);
        const changed = changes.reduce(apply, text);
        expect(await outcomeOf(one, changed)).toBe(changed === text ? 'valid' : 'invalid');
      }),
    );
  });

  it('fails with parts of other valid tokens', async () => {
    await fc.assert(
      fc.asyncProperty(way, goodClaims, goodClaims, fc.nat(2), async (one, claims, otherClaims, part) => {
        const [own, other] = [one.sign(claims).split('.'), one.sign(otherClaims).split('.')];
        const mixed = own.map((text, index) => (index === part ? other[index] : text)).join('.');
        // ECDSA and PSS signatures of one text differ, and each of them is valid.
        const isSame = mixed === own.join('.') || (claims === otherClaims && part === 2);
        expect(await outcomeOf(one, mixed)).toBe(isSame ? 'valid' : 'invalid');
      }),
    );
  });
});

describe('text that was never a token', () => {
  const base64url = fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'));
  const json = fc.jsonValue().map((value) => encode(value));
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    anyText(300),
    fc
      .array(fc.oneof(base64url, json, fc.string({ maxLength: 20 })), { maxLength: 6 })
      .map((parts) => parts.join('.')),
  );

  it('fails: it is never a fault of the service', async () => {
    await fc.assert(
      fc.asyncProperty(way, text, async (one, junk) => {
        expect(await outcomeOf(one, junk)).toBe('invalid');
      }),
    );
  });

  it('fails in an instant at its largest, in the forms that make slow readers slow', async () => {
    const forms = ['.', 'A.', '..A', 'A', '-', '=', 'A=', '\ud83e', 'eyJhbGciOiJIUzI1NiJ9.'];
    const valid = WAYS['HS256']!.sign(CLAIMS);
    for (const form of forms) {
      for (const around of ['', valid, `${valid}.`, valid.slice(0, -1)]) {
        const hostile = (around + form.repeat(10_000)).slice(0, 8_192);
        for (const one of [WAYS['HS256']!, WAYS['RS256']!]) {
          for (let call = 0; call < 20; call += 1) expect(await outcomeOf(one, hostile)).toBe('invalid');
        }
      }
    }
  });
});

describe('the two families', () => {
  /** A neuron that has somebody's public key as its secret, as if no check had refused it. */
  const trusting = { 'org-acme/jwt/support-jwt': SECRET };
  const attack = fc.constantFrom(
    ...['HS256', 'HS384', 'HS512'].flatMap((alg) =>
      [
        PEM,
        PEM.trim(),
        PEM.replaceAll('\n', ''),
        JSON.stringify(jwkOf(PAIRS.RS256)),
        String(jwkOf(PAIRS.RS256)['n']),
        '',
      ].map((secret) => signWithSecret(CLAIMS, { alg, kid: 'RS256' }, secret)),
    ),
  );
  const token = fc.oneof(
    fc.tuple(way, goodClaims).map(([one, claims]) => one.sign(claims)),
    attack,
  );

  it('never both take a token', async () => {
    const [secret, key] = [WAYS['HS256']!, WAYS['RS256']!];
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        const outcomes = [await outcomeOf(secret, text), await outcomeOf(key, text)];
        expect(outcomes.filter((outcome) => outcome === 'valid').length).toBeLessThan(2);
        expect(outcomes.filter((outcome) => outcome !== 'valid' && outcome !== 'invalid')).toEqual([]);
      }),
    );
  });

  it('never take a token that was signed with a public key as the secret', async () => {
    await fc.assert(
      fc.asyncProperty(attack, async (text) => {
        for (const ports of [portsWithSecrets(trusting), portsWithKeys({ [JWKS_URL]: KEYS })]) {
          expect((await verifyText(text, BY_JWKS, portsWithKeys({ [JWKS_URL]: KEYS }))).outcome).toBe(
            'invalid',
          );
          expect((await verifyText(text, ALL_SECRETS, ports)).outcome).toBe('invalid');
        }
      }),
    );
  });

  it('never take a token of a symmetric key that a set publishes', async () => {
    const published = { kty: 'oct', k: Buffer.from(SECRET).toString('base64url'), kid: 'oct', alg: 'HS256' };
    const ports = portsWithKeys({ [JWKS_URL]: [published, ...KEYS] });
    const text = signWithSecret(CLAIMS, { alg: 'HS256', kid: 'oct' });
    expect((await verifyText(text, BY_JWKS, ports)).outcome).toBe('invalid');
  });
});

describe('the work for a token', () => {
  it('is bounded by the keys that fit it, and a thousand tokens of unknown keys are one fetch', async () => {
    const ports = portsWithKeys({ [JWKS_URL]: KEYS });
    for (let call = 0; call < 1_000; call += 1) {
      const text = signWithSecret(CLAIMS, { alg: 'RS256', kid: `unknown-${call}` });
      expect((await verifyText(text, BY_JWKS, ports)).outcome).toBe('invalid');
    }
    expect(ports.fetches).toEqual([JWKS_URL]);
  });
});
