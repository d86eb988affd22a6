// The claims of a token against the settings and the time of the request.
import { describe, expect, it } from 'vitest';
import { type ClaimRules, findClaimError } from '../../../core/access/token-claims.ts';

const NOW_S = 1_800_000_000;
const RULES: ClaimRules = { requireExpiry: true, issuers: undefined, audiences: undefined };

function reject(claims: object, rules: Partial<ClaimRules> = {}, timeMs = NOW_S * 1000): string | undefined {
  return findClaimError(claims as Record<string, unknown>, { ...RULES, ...rules }, timeMs);
}

describe('exp', () => {
  it('is valid for five seconds longer than it says, to the millisecond', () => {
    expect(reject({ exp: NOW_S }, {}, NOW_S * 1000 + 4_999)).toBeUndefined();
    expect(reject({ exp: NOW_S }, {}, NOW_S * 1000 + 5_000)).toBe('the token has expired');
    expect(reject({ exp: NOW_S - 0.5 }, {}, NOW_S * 1000 + 4_499)).toBeUndefined();
    expect(reject({ exp: NOW_S - 0.5 }, {}, NOW_S * 1000 + 4_500)).toBe('the token has expired');
  });

  it.each([0, -1, -1e308])('refuses a moment long ago: %d', (exp) => {
    expect(reject({ exp })).toBe('the token has expired');
  });

  it('is required unless the settings say otherwise', () => {
    expect(reject({})).toBe('the token has no exp');
    expect(reject({}, { requireExpiry: false })).toBeUndefined();
    expect(reject({ exp: NOW_S - 6 }, { requireExpiry: false })).toBe('the token has expired');
  });

  it('refuses one that only a prototype has', () => {
    expect(reject(Object.create({ exp: NOW_S + 60 }) as object)).toBe('the token has no exp');
  });
});

describe('nbf', () => {
  const exp = NOW_S + 600;

  it('is valid from five seconds before it says, to the millisecond', () => {
    expect(reject({ exp, nbf: NOW_S }, {}, NOW_S * 1000 - 5_000)).toBeUndefined();
    expect(reject({ exp, nbf: NOW_S }, {}, NOW_S * 1000 - 5_001)).toBe('the token is not valid yet');
  });

  it('holds also where exp is not required', () => {
    expect(reject({ nbf: NOW_S + 6 }, { requireExpiry: false })).toBe('the token is not valid yet');
    expect(reject({ nbf: 1e308 }, { requireExpiry: false })).toBe('the token is not valid yet');
  });
});

describe('times', () => {
  const EVERYTHING = { exp: NOW_S + 60, nbf: NOW_S, iat: NOW_S };

  it.each(['exp', 'nbf', 'iat'])('refuses %s that is not a finite number', (name) => {
    for (const value of [
      '1900000000',
      null,
      true,
      [NOW_S],
      {},
      Number.NaN,
      ...(JSON.parse('[1e400,-1e400]') as number[]),
    ]) {
      const reason = `the ${name} of the token is not a number of seconds`;
      expect(reject({ ...EVERYTHING, [name]: value }, { requireExpiry: false })).toBe(reason);
    }
  });

  it('takes iat in the past and in the future: it decides nothing', () => {
    expect(reject({ ...EVERYTHING, iat: 0 })).toBeUndefined();
    expect(reject({ ...EVERYTHING, iat: NOW_S + 1e6 })).toBeUndefined();
  });
});

describe('iss', () => {
  const exp = NOW_S + 60;
  const rules = { issuers: ['https://login.example.com/', 'other'] };

  it('is one of those that the settings list, to the letter', () => {
    expect(reject({ exp, iss: 'https://login.example.com/' }, rules)).toBeUndefined();
    expect(reject({ exp, iss: 'other' }, rules)).toBeUndefined();
    for (const iss of ['https://login.example.com', 'HTTPS://login.example.com/', 'othe', 'others', '']) {
      expect(reject({ exp, iss }, rules)).toBe('the iss of the token is not one that the settings list');
    }
  });

  it('must be there, as text', () => {
    expect(reject({ exp }, rules)).toBe('the token has no iss');
    for (const iss of [['other'], null, 1, { toString: 'other' }]) {
      expect(reject({ exp, iss }, rules)).toBe('the iss of the token is not text');
      expect(reject({ exp, iss })).toBe('the iss of the token is not text');
    }
    expect(reject({ exp, iss: 'anybody' })).toBeUndefined();
  });
});

describe('aud', () => {
  const exp = NOW_S + 60;
  const rules = { audiences: ['support', 'sales'] };

  it('names at least one of those that the settings list', () => {
    for (const aud of ['support', ['support'], ['other', 'sales']])
      expect(reject({ exp, aud }, rules)).toBeUndefined();
    for (const aud of ['Support', 'support ', ['other'], 'suppor', ['support,sales']]) {
      expect(reject({ exp, aud }, rules)).toBe('the aud of the token is not one that the settings list');
    }
  });

  it('must be there, as text or texts', () => {
    expect(reject({ exp }, rules)).toBe('the token has no aud');
    expect(reject({ exp, aud: [] }, rules)).toBe('the token has no aud');
    for (const aud of [1, null, {}, ['support', 1], [['support']]]) {
      expect(reject({ exp, aud }, rules)).toBe('the aud of the token is neither text nor a list of texts');
      expect(reject({ exp, aud })).toBe('the aud of the token is neither text nor a list of texts');
    }
    expect(reject({ exp, aud: 'anything' })).toBeUndefined();
  });
});
