// Headers, query and auth of providers in settings: what could steal a connection or tell a secret is refused.
import { describe, expect, it } from 'vitest';
import { errors } from './validate-text.ts';

const provider = (members: string) =>
  `organization: acme\nproviders:\n  p: { type: openai, apiKey: { secret: k }, ${members} }\n`;
const found = (members: string) =>
  errors(provider(members)).map((line) => line.replace(/^a\.yaml:\d+:\d+: providers\.p\.?/, ''));

describe('headers of a provider', () => {
  it.each([
    'headers: { X-Title: Acme, HTTP-Referer: "https://acme.example/a?b=c" }',
    'headers: { x-goog-api-key: { secret: gemini } }',
    'headers: { X-Author: me }',
    'query: { api-version: 2025-04-01-preview }',
    'auth: api-key',
  ])('may be { %s }', (members) => {
    expect(found(members)).toEqual([]);
  });

  it.each([
    'Authorization',
    'proxy-authorization',
    'HOST',
    'Connection',
    'Transfer-Encoding',
    'Content-Length',
    'content-type',
    'cookie',
    'api-key',
    'x-api-key',
    'User-Agent',
    'traceparent',
  ])('may not be %s', (name) => {
    expect(found(`headers: { ${name}: { secret: s } }`)).toEqual([
      `headers.${name}: is not a name that may stand here: it must not be ${name.toLowerCase()}: the service sets it itself (credentials have apiKey and auth)`,
    ]);
  });

  it.each([
    ['a name with a line end', '{ "X-A\\r\\nHost": b }', 'must be the name of a header'],
    ['a name with a colon', '{ "X-A:": b }', 'must be the name of a header'],
    ['an empty name', '{ "": b }', 'must be the name of a header'],
    ['a value with a line end', '{ X-A: "b\\r\\nHost: evil" }', 'must be text of 1 to 500 visible ASCII'],
    ['a value with a line feed', '{ X-A: "b\\nHost: evil" }', 'must be text of 1 to 500 visible ASCII'],
    ['a value with NUL', '{ X-A: "b\\0" }', 'must be text of 1 to 500 visible ASCII'],
    ['a value of other letters', '{ X-A: "ü" }', 'must be text of 1 to 500 visible ASCII'],
    ['an empty value', '{ X-A: "" }', 'must be text of 1 to 500 visible ASCII'],
    ['a number', '{ X-A: 3 }', 'must be text of 1 to 500 visible ASCII'],
    ['a name twice', '{ X-A: b, x-a: c }', 'repeats a header in other letters'],
    [
      'a credential in the file',
      '{ X-Gate-Token: abc }',
      'must be { secret: NAME }: by its name it is a credential',
    ],
  ])('refuses %s', (_what, headers, expected) => {
    expect(found(`headers: ${headers}`)).toEqual([expect.stringContaining(expected)]);
  });

  it('refuses more than 20', () => {
    const names = Array.from({ length: 21 }, (_, index) => `X-${index}: a`);
    expect(found(`headers: { ${names.slice(1).join(', ')} }`)).toEqual([]);
    expect(found(`headers: { ${names.join(', ')} }`)).toEqual(['headers: must hold at most 20 headers']);
  });
});

describe('query and auth of a provider', () => {
  it.each([
    ['query: { key: abc }', 'must not be a credential: URLs are logged'],
    ['query: { "a&b": c }', 'must be 1 to 64 letters, digits'],
    ['query: { a: "b c" }', 'must be text of 1 to 200 visible ASCII characters'],
    ['auth: basic', 'must be bearer or api-key'],
  ])('may not be { %s }', (members, expected) => {
    expect(found(members)).toEqual([expect.stringContaining(expected)]);
  });

  it('says nothing of a key that is not there', () => {
    expect(errors('organization: acme\nproviders: { p: { type: openai, auth: api-key } }\n')).toEqual([
      'a.yaml:2:33: providers.p.auth: says how apiKey is sent, and there is none: add apiKey, or take auth out',
    ]);
  });
});
