// Names of hosts: the one spelling that is compared, and the names that are brought into it.
import { describe, expect, it } from 'vitest';
import { isHost, toAsciiHost } from '../../../core/settings/host-name.ts';

describe('a host', () => {
  it.each([
    'app.example.com',
    'localhost',
    'a_b.example',
    'xn--bcher-kva.example',
    '10.1.2.3',
    '3com.example',
    'a-b.example',
    'a--b.example',
    '_dmarc.example',
    `${'a'.repeat(63)}.example`,
    'a.b',
    'a',
  ])('%s is in its one spelling', (host) => {
    expect(isHost(host)).toBe(true);
  });

  it.each([
    '',
    '.',
    'App.example.com',
    'app.example.com.',
    '.example.com',
    'a..b',
    'app.example.com:443',
    'app.example.com/',
    'user@app.example.com',
    'app example.com',
    'bücher.example',
    '0x7f.1',
    '1.2.3',
    '2130706433',
    '[::1]',
    '*.example.com',
    '-app.example.com',
    'app-.example.com',
    'app.example.com-',
    '-',
    `${'a'.repeat(64)}.example`,
    `a.${'a'.repeat(64)}`,
    'app.example.com\n',
    'a%2eb',
  ])('refuses %j', (host) => {
    expect(isHost(host)).toBe(false);
  });
});

describe('the longest host', () => {
  const longest = `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61);

  it('has 253 characters', () => {
    expect(longest).toHaveLength(253);
    expect(isHost(longest)).toBe(true);
    expect(isHost(`${longest}a`)).toBe(false);
  });
});

describe('the ASCII form', () => {
  it.each([
    ['app.example.com', 'app.example.com'],
    ['APP.Example.COM', 'app.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    // Decomposed: u and a combining diaeresis.
    ['bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ａｐｐ.example', 'app.example'],
    ['A_b-c.example', 'a_b-c.example'],
    ['Localhost', 'localhost'],
  ])('of %s is %s', (text, ascii) => {
    expect(toAsciiHost(text)).toBe(ascii);
  });

  it.each([
    '',
    'https://App.example.com',
    'App.example.com:443',
    'App.example.com/',
    'User@app.example.com',
    'App%2eexample.com',
    'App。example.com',
    'App.exam\u00adple.com',
    'App.exam\u200bple.com',
    'App .example.com',
    'App.example.com.',
    '.App.example.com',
    '-App.example.com',
    `${'A'.repeat(64)}.example`,
    '0X7F.1',
    '１.2.3.4',
    '1.2.3',
    '*.Example.com',
    'ü'.repeat(64),
  ])('of %j is left to be refused', (text) => {
    expect(toAsciiHost(text)).toBe(text);
  });
});
