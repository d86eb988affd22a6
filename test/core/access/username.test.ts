// The username in a token's claims: which value, and which values are none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUsername, toUsernamePath } from '../../../core/access/username.ts';

const find = (json: string, path: string | string[]) =>
  findUsername(JSON.parse(json) as Record<string, unknown>, toUsernamePath(path));

describe('the path', () => {
  it('is split at dots when it is text, and taken literally when it is a list', () => {
    const json = '{"sub":"a","user":{"id":"b","e.mail":"c"},"user.id":"d","https://example.com/name":"e"}';
    expect(find(json, 'sub')).toBe('a');
    expect(find(json, 'user.id')).toBe('b');
    expect(find(json, ['user.id'])).toBe('d');
    expect(find(json, ['user', 'e.mail'])).toBe('c');
    expect(find(json, ['https://example.com/name'])).toBe('e');
    expect(find(json, 'https://example.com/name')).toBeUndefined();
  });

  it.each([
    'name',
    'user',
    'user.name',
    'sub.length',
    'sub.0',
    'list.0',
    'list.length',
    'user.id.x',
    'nothing.at.all',
  ])('leads nowhere: %s', (path) => {
    expect(find('{"sub":"ada","user":{"id":"b"},"list":["a"],"nothing":null}', path)).toBeUndefined();
  });

  it.each([
    'constructor.name',
    '__proto__.x',
    'toString.name',
    'user.constructor.name',
    'hasOwnProperty.name',
  ])('leads to no member of a prototype: %s', (path) => {
    expect(find('{"user":{}}', path)).toBeUndefined();
  });

  it('leads to nothing that an object has from a prototype, whoever put it there', () => {
    const heir: Record<string, unknown> = Object.create({ sub: 'eve' });
    expect(findUsername(heir, ['sub'])).toBeUndefined();
    expect(findUsername({ user: heir }, ['user', 'sub'])).toBeUndefined();
  });

  it('leads to a member that is called like one of a prototype', () => {
    expect(find('{"__proto__":{"name":"ada"},"constructor":"eve"}', '__proto__.name')).toBe('ada');
    expect(find('{"__proto__":{"name":"ada"},"constructor":"eve"}', 'constructor')).toBe('eve');
  });
});

describe('the value', () => {
  it('is used exactly as it is', () => {
    for (const name of [' ada ', 'Ada', 'ADA', 'a|b#c', 'ü', 'u\u0308', '🦆', "'; --", 'a\u2028b']) {
      expect(findUsername({ sub: name }, ['sub'])).toBe(name);
    }
  });

  it('has 1 to 256 characters', () => {
    expect(findUsername({ sub: '' }, ['sub'])).toBeUndefined();
    for (const character of ['a', 'ü', '🦆']) {
      expect(findUsername({ sub: character.repeat(256) }, ['sub'])).toBe(character.repeat(256));
      expect(findUsername({ sub: character.repeat(257) }, ['sub'])).toBeUndefined();
    }
  });

  it.each(['\u0000', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009f'])(
    'has no control character: %j',
    (control) => {
      expect(findUsername({ sub: `a${control}b` }, ['sub'])).toBeUndefined();
      expect(findUsername({ sub: `a${control}` }, ['sub'])).toBeUndefined();
    },
  );

  it('has no half of a surrogate pair, all of which would be one character', () => {
    for (const half of ['"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"']) {
      expect(find(`{"sub":${half}}`, 'sub')).toBeUndefined();
    }
    expect(find('{"sub":"\\ud83e\\udd86"}', 'sub')).toBe('🦆');
  });

  it('may be an integer, in decimal', () => {
    expect(find('{"id":0}', 'id')).toBe('0');
    expect(find('{"id":-42}', 'id')).toBe('-42');
    expect(find('{"id":9007199254740991}', 'id')).toBe('9007199254740991');
    expect(find('{"id":1.0}', 'id')).toBe('1');
    for (const number of ['1.5', '9007199254740992', '9007199254740993', '1e21', '1e400', '-1e400']) {
      expect(find(`{"id":${number}}`, 'id'), number).toBeUndefined();
    }
  });

  it.each(['true', 'null', '["ada"]', '{"name":"ada"}', '[1]'])('is nothing else: %s', (json) => {
    expect(find(`{"sub":${json}}`, 'sub')).toBeUndefined();
  });

  it('survives its way to UTF-8 and back, whatever is in the token', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const username = findUsername({ sub: value } as Record<string, unknown>, ['sub']);
        return username === undefined || Buffer.from(username).toString() === username;
      }),
    );
  });
});
