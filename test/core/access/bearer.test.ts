// The Authorization header: one, of the Bearer scheme, with a token of the characters that RFC 6750 allows.
import { describe, expect, it } from 'vitest';
import { readBearer } from '../../../core/access/credentials.ts';

describe('a bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['bEaReR abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer aZ09-._~+/==', 'aZ09-._~+/=='],
    ['Bearer nrn_a_b', 'nrn_a_b'],
  ])('is read from %j', (header, token) => {
    expect(readBearer([header])).toEqual({ token });
  });

  it.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer =',
    'Bearerabc',
    'Bearer\tabc',
    'Bearer:abc',
    ' Bearer abc',
    'Bearer abc ',
    'Bearer abc def',
    'Bearer abc,def',
    'Bearer abc, Bearer def',
    'Bearer Bearer abc',
    'Bearer "abc"',
    'Bearer abc=d',
    'Bearer äbc',
    'Bearer abc\n',
    'Bearer abc\r\nX-Other: 1',
    'Bearer abc\u0000',
    'Bearer token="abc"',
    'Basic abc',
    'Token abc',
    'NotBearer abc',
    'abc',
  ])('refuses %j', (header) => {
    expect(readBearer([header])).toEqual({ reason: 'the Authorization header holds no bearer token' });
  });

  it('refuses a request without the header', () => {
    expect(readBearer([])).toEqual({ reason: 'the request carries no Authorization header' });
  });

  it('refuses two headers, even when they are equal', () => {
    expect(readBearer(['Bearer abc', 'Bearer abc'])).toEqual({
      reason: 'the request carries more than one Authorization header',
    });
  });

  it('refuses a header beyond 8,192 characters, before looking at it', () => {
    const longest = `Bearer ${'a'.repeat(8_192 - 7)}`;
    expect(readBearer([longest])).toEqual({ token: 'a'.repeat(8_185) });
    expect(readBearer([`${longest}a`])).toEqual({ reason: 'the Authorization header is too long' });
  });
});
