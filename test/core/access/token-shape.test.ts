// The form of a token: what is read, and what is refused before anything of it is believed.
import { describe, expect, it } from 'vitest';
import { readToken } from '../../../core/access/token-shape.ts';
import { memberOf } from '../../../core/text/json.ts';
import { encode } from './tokens.ts';

const HEADER = { alg: 'HS256' };
const tokenOf = (header: unknown, claims: unknown = { sub: 'ada' }) =>
  `${encode(header)}.${encode(claims)}.c2ln`;
const bytes = (...values: number[]) => Buffer.from(values).toString('base64url');

function reasonOf(text: string): string {
  const reading = readToken(text);
  return 'reason' in reading ? reading.reason : 'read';
}

describe('a token', () => {
  it('is read into its parts, none of them verified', () => {
    const text = tokenOf({ alg: 'RS256', kid: '../../etc/passwd', typ: 'JWT' });
    const reading = readToken(text);
    expect(reading).toEqual({
      token: {
        algorithm: 'RS256',
        kid: '../../etc/passwd',
        header: { alg: 'RS256', kid: '../../etc/passwd', typ: 'JWT' },
        claims: { sub: 'ada' },
        text,
      },
    });
  });

  it.each([
    ['an empty object as payload', tokenOf(HEADER, {})],
    [
      'headers that would choose a key',
      tokenOf({ ...HEADER, jku: 'https://a.example', jwk: {}, x5c: ['a'], x5u: 'b' }),
    ],
    ['b64 as it always is', tokenOf({ ...HEADER, b64: true })],
    ['white space in its JSON', `${encode(' { "alg" :\n"HS256" } ')}.${encode('{}')}.c2ln`],
    ['members of any name', tokenOf(HEADER, '{"__proto__":{"sub":"eve"},"constructor":1,"":2}')],
  ])('may have %s', (_name, text) => {
    expect(reasonOf(text)).toBe('read');
  });

  it('takes the last of a repeated member, in header and payload', () => {
    const reading = readToken(tokenOf('{"alg":"none","alg":"HS256"}', '{"sub":"ada","sub":"eve"}'));
    expect(reading).toMatchObject({ token: { algorithm: 'HS256', claims: { sub: 'eve' } } });
  });

  it('has 8,192 characters at most', () => {
    const text = tokenOf(HEADER);
    const pad = (length: number) => `${text}${'A'.repeat(length - text.length)}`;
    expect(reasonOf(pad(8_192))).toBe('read');
    expect(reasonOf(pad(8_196))).toBe('the token is longer than 8 KB');
  });
});

const NOT_SIGNED = 'the token is neither an API key nor a signed JWT';
const [header = '', payload = ''] = tokenOf(HEADER).split('.');

describe('what is no token', () => {
  it.each([
    '',
    '.',
    '..',
    '...',
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `.${payload}.c2ln`,
    `${header}..c2ln`,
    `${header}.${payload}.c2ln.`,
    `${header}.${payload}.c2ln.c2ln.c2ln`,
    `${header}.${payload}.c2ln=`,
    `${header}=.${payload}.c2ln`,
    ` ${header}.${payload}.c2ln`,
    `${header}.${payload}.c2ln\n`,
    `${header}.${payload}.c2\u0000ln`,
    `${header}.${payload}.c2+n`,
    `${header}.${payload}.c2/n`,
    `${header},${payload},c2ln`,
    'a token',
  ])('refuses the form of %j', (text) => {
    expect(reasonOf(text)).toBe(NOT_SIGNED);
  });

  it.each([
    ['a length that no bytes have', `${header}.${payload}.A`],
    ['bits beyond the last byte', `${header}.${payload}.c2lu_x`],
  ])('refuses a signature with %s', (_name, text) => {
    expect(reasonOf(text)).toBe('the signature of the token is not base64url');
  });

  const HEADER_REASON = 'the header of the token is not a JSON object';
  const PAYLOAD_REASON = 'the payload of the token is not a JSON object';
  it.each([
    ['text', '"a"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['nothing', ' '],
    ['broken JSON', '{"alg":"HS256"'],
    ['more than one value', '{}{}'],
    ['a byte order mark', '\ufeff{"alg":"HS256"}'],
    ['NaN', '{"exp":NaN}'],
    ['nesting without end', '['.repeat(4_000)],
  ])('refuses %s as header and as payload', (_name, json) => {
    expect(reasonOf(`${encode(json)}.${payload}.c2ln`)).toBe(HEADER_REASON);
    expect(reasonOf(`${header}.${encode(json)}.c2ln`)).toBe(PAYLOAD_REASON);
  });

  it.each([
    ['bytes that are not UTF-8', bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['an overlong encoding', bytes(0x7b, 0x22, 0xc0, 0xa2, 0x22, 0x3a, 0x31, 0x7d)],
    ['half a surrogate pair', bytes(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
    // `e30` is {}, and so would `e31` be to a decoder that does not look at them.
    ['bits beyond the last byte', 'e31'],
  ])('refuses %s in header and payload', (_name, part) => {
    expect(reasonOf(`${part}.${payload}.c2ln`)).toBe(HEADER_REASON);
    expect(reasonOf(`${header}.${part}.c2ln`)).toBe(PAYLOAD_REASON);
  });
});

describe('a header', () => {
  it.each([[], ['b64'], ['exp'], null, '', 'exp', {}])('refuses crit, whatever it says: %j', (crit) => {
    expect(reasonOf(tokenOf({ ...HEADER, crit }))).toBe(
      'the header of the token has crit, and no extension is understood',
    );
  });

  it.each([false, null, 'false', 0])('refuses b64: %j', (b64) => {
    expect(reasonOf(tokenOf({ ...HEADER, b64 }))).toBe(
      'the header of the token has b64, which a JWT may not',
    );
  });

  it.each([
    {},
    { alg: null },
    { alg: 1 },
    { alg: ['HS256'] },
    { alg: { toString: 'HS256' } },
    '{"__proto__":{"alg":"HS256"}}',
  ])('refuses to name no algorithm: %j', (named) => {
    expect(reasonOf(tokenOf(named))).toBe('the header of the token names no algorithm');
  });

  it.each([null, 1, ['a'], {}])('refuses a kid that is not text: %j', (kid) => {
    expect(reasonOf(tokenOf({ ...HEADER, kid }))).toBe('the kid of the token is not text');
  });
});

describe('a member', () => {
  it('is one that the object has itself', () => {
    const object = JSON.parse('{"__proto__":{"inherited":1},"own":2}') as Record<string, unknown>;
    expect(memberOf(object, 'own')).toBe(2);
    expect(memberOf(object, '__proto__')).toEqual({ inherited: 1 });
    for (const name of ['inherited', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(memberOf(object, name), name).toBeUndefined();
    }
  });
});
