// Which addresses the service may connect to, by hand-written tables and properties.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  isGlobalAddress,
  isLoopbackAddress,
  mayConnect,
  rejectUrl,
} from '../../../core/settings/address-policy.ts';

const strict = { allowLoopback: false };
const local = { allowLoopback: true };

describe('addresses', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2000::',
    '2001:200::1',
    '2001:db7:ffff::1',
    '2001:db9::',
    '2003::1',
    '3ffe::1',
    '3fff:1000::1',
  ])('%s is global', (ip) => expect(isGlobalAddress(ip)).toBe(true));

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:1ff:ffff::',
    '2001:db8::1',
    '2002:808:808::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '5f00::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ])('refuses %s', (ip) => expect(isGlobalAddress(ip)).toBe(false));

  test.each([
    '',
    '1.1.1',
    '1.1.1.1.1',
    '01.1.1.1',
    '256.1.1.1',
    '1.1.1.1 ',
    '0x1.1.1.1',
    '16843009',
    'example.com',
    '2606:4700::1111%eth0',
    '[2606:4700::1111]',
    '2606:4700',
    '2606::4700::1',
    '2606:4700:1:2:3:4:5:6:7',
    '2606:4700:1:2:3:4:5:6::',
    ':2606:4700:1:2:3:4:5:6',
    '2606:4700:::1',
    '2606:47000::1',
    '2606:1.1.1.1::1',
  ])('refuses the text %j, which is not an address', (ip) => expect(isGlobalAddress(ip)).toBe(false));

  it('is loopback in 127.0.0.0/8 and at ::1 only', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1'].map(isLoopbackAddress)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['128.0.0.1', '::2', '::ffff:127.0.0.1', 'localhost'].map(isLoopbackAddress)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('URLs', () => {
  test.each([
    'https://api.openai.com/v1',
    'https://api.example.com:8443/v1',
    'https://API.Example.COM./v1',
    'https://1.1.1.1/v1',
    'https://[2606:4700::1111]/v1',
    'https://notlocalhost.example/',
    'https://local.example/',
  ])('%s may be connected to', (url) => expect(rejectUrl(url, strict)).toBeUndefined());

  test.each([
    'http://api.openai.com/v1',
    'ftp://api.openai.com/v1',
    'file:///proc/self/environ',
    'data:text/plain,hello',
    'https://user@api.openai.com/',
    'https://user:word@api.openai.com/',
    'https://127.0.0.1:9001/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://127.0.0.1./',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://app.localhost/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://metadata/',
    'https://example..com/',
    'not a url',
    '',
  ])('refuses %s', (url) => expect(rejectUrl(url, strict)).toMatch(/^must /));

  test.each([
    'http://127.0.0.1:11434/v1',
    'https://127.8.9.1/',
    'http://[::1]:8080/',
    'http://localhost:11434/v1',
    'https://api.openai.com/v1',
  ])('%s may be connected to in the local run', (url) => expect(rejectUrl(url, local)).toBeUndefined());

  test.each([
    'http://api.openai.com/v1',
    'http://192.168.1.2:11434/v1',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
    'http://app.localhost/',
    'file://localhost/etc/passwd',
    'ftp://localhost/',
    'http://user@localhost/',
    'https://10.0.0.1/',
  ])('refuses %s in the local run too', (url) => expect(rejectUrl(url, local)).toMatch(/^must /));
});

describe('connections', () => {
  it('refuses a name that resolves to this machine unless the host itself says loopback', () => {
    expect(mayConnect('localhost', '127.0.0.1', local)).toBe(true);
    expect(mayConnect('[::1]', '::1', local)).toBe(true);
    expect(mayConnect('rebind.example.com', '127.0.0.1', local)).toBe(false);
    expect(mayConnect('localhost', '127.0.0.1', strict)).toBe(false);
    expect(mayConnect('localhost', '10.0.0.1', local)).toBe(false);
    expect(mayConnect('api.example.com', '1.1.1.1', strict)).toBe(true);
  });
});

describe('any address', () => {
  it('refuses every IPv4 address wrapped in IPv6, whatever the wrapping', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const wrapping = fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:');
    fc.assert(
      fc.property(octets, wrapping, (parts, prefix) => {
        expect(isGlobalAddress(prefix + parts.join('.'))).toBe(false);
      }),
    );
  });

  it('checks a URL by the address that URL parsing makes of it, in any spelling of an IPv4 address', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        const dotted = rejectUrl(`https://${a}.${b}.${c}.${d}/`, strict) === undefined;
        const hexadecimal = `https://0x${a.toString(16)}.0x${b.toString(16)}.0${c.toString(8)}.${d}/`;
        const whole = `https://${((a * 256 + b) * 256 + c) * 256 + d}/`;
        expect(rejectUrl(hexadecimal, strict) === undefined).toBe(dotted);
        expect(rejectUrl(whole, strict) === undefined).toBe(dotted);
        expect(isGlobalAddress(`${a}.${b}.${c}.${d}`)).toBe(dotted);
      }),
    );
  });

  it('takes any text without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof isGlobalAddress(text)).toBe('boolean');
        expect(['string', 'undefined']).toContain(typeof rejectUrl(`https://${text}/`, strict));
      }),
    );
  });
});
