// How callers are named: by kind, and no two alike.
import { describe, expect, it } from 'vitest';
import { renderCaller, renderName } from '../../../cli/output/caller.ts';

describe('a caller', () => {
  it.each([
    [{ username: 'alice', keyId: 'k1', sourceIp: '192.0.2.1' }, 'user alice'],
    [{ username: '192.0.2.1', sourceIp: '192.0.2.7' }, 'user 192.0.2.1'],
    [{ keyId: 'k1', sourceIp: '192.0.2.1' }, 'key k1'],
    [{ sourceIp: '192.0.2.1' }, 'address 192.0.2.1'],
    [{}, undefined],
  ])('%j is named %j', (caller, expected) => {
    expect(renderCaller(caller)).toBe(expected);
  });
});

describe('a name', () => {
  it.each([
    ['alice', 'alice'],
    ['alice@shop.example', 'alice@shop.example'],
    ['alice ', '"alice "'],
    [' alice', '" alice"'],
    ['alice smith', '"alice smith"'],
    ['', '""'],
    ['say "hi"', '"say \\"hi\\""'],
    ['a"b', '"a\\"b"'],
    ['alice\u00a0', 'alice\\u{a0}'],
    ['alice\u2003b', 'alice\\u{2003}b'],
    ['alice\t', 'alice\\u{09}'],
    ['\u200balice', '\\u{200b}alice'],
    // Cyrillic а beside Latin letters.
    ['\u0430lice', '\\u{430}lice'],
    // Cyrillic only, and every letter looks Latin.
    ['\u0430\u0441\u0435', '\\u{430}\\u{441}\\u{435}'],
    ['\uff41lice', '\\u{ff41}lice'],
    ['\u{1d41a}lice', '\\u{1d41a}lice'],
    ['Ольга', 'Ольга'],
    ['Ελένη', 'Ελένη'],
    ['José', 'José'],
    ['José'.normalize('NFD'), 'José'.normalize('NFD')],
    ['田中', '田中'],
  ])('%j is shown as %s', (name, expected) => {
    expect(renderName(name)).toBe(expected);
  });
});
