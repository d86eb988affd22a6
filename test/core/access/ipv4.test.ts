// IPv4 addresses and blocks: one spelling each, and who is in a list.
import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAddress, parseIpv4Block } from '../../../core/access/ipv4.ts';
import { parseIpv4 } from '../../../core/settings/ip-address.ts';

/** Other ways in which programs spell 203.0.113.7, 127.0.0.1 or nothing at all. */
const OTHER_SPELLINGS = [
  '',
  ' 203.0.113.7',
  '203.0.113.7 ',
  '203.0.113.7\n',
  '0203.0.113.7',
  '203.00.113.7',
  '203.0.113.07',
  '0313.0.0161.07',
  '0xcb.0x0.0x71.0x7',
  '0xcb007107',
  '3405803783',
  '203.0.28935',
  '203.7',
  '203.0.113',
  '203.0.113.7.',
  '.203.0.113.7',
  '203..113.7',
  '203.0.113.7.1',
  '203.0.113.256',
  '203.0.113.1000',
  '203.0.113.-7',
  '+203.0.113.7',
  '203.0.113.7e0',
  '203,0,113,7',
  '２０３.0.113.7',
  '203。0。113。7',
  '٢٠٣.0.113.7',
  '::ffff:203.0.113.7',
  '::ffff:cb00:7107',
  '::203.0.113.7',
  '64:ff9b::203.0.113.7',
  '[::ffff:203.0.113.7]',
  '::1',
  '203.0.113.7:443',
  '203.0.113.7%eth0',
  '203.0.113.7, 198.51.100.9',
  'localhost',
];

describe('an address', () => {
  it.each([
    ['0.0.0.0', 0],
    ['0.0.0.1', 1],
    ['0.0.1.0', 256],
    ['1.2.3.4', 16_909_060],
    ['127.0.0.1', 2_130_706_433],
    ['203.0.113.7', 3_405_803_783],
    ['255.255.255.255', 4_294_967_295],
  ])('%s is the number %i', (text, number) => {
    expect(parseIpv4(text)).toBe(number);
  });

  it.each(OTHER_SPELLINGS)('refuses the spelling %j, in a request and in a list', (text) => {
    expect(parseIpv4(text)).toBeUndefined();
    expect(parseIpv4Block(text)).toBeUndefined();
    expect(checkAddress(['203.0.113.7', '127.0.0.1', '0.0.0.0/1', '128.0.0.0/1'], text).passes).toBe(false);
    expect(checkAddress([text], '203.0.113.7').passes).toBe(false);
  });

  it('is taken in no spelling but the one that Node prints', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const number = parseIpv4(text);
        const octets = [24, 16, 8, 0].map((shift) => (Number(number) >>> shift) & 255);
        return octets.join('.') === text;
      }),
    );
  });

  it('is never taken where Node sees none', () => {
    const looksLike = fc.string({ unit: fc.constantFrom(...'0123456789.x:/ a'), maxLength: 18 });
    fc.assert(fc.property(looksLike, (text) => parseIpv4(text) === undefined || isIPv4(text)));
  });
});

describe('a block', () => {
  it.each([
    ['198.51.100.0/24', 3_325_256_704, 3_325_256_959],
    ['198.51.100.4/30', 3_325_256_708, 3_325_256_711],
    ['198.51.100.8/31', 3_325_256_712, 3_325_256_713],
    ['0.0.0.0/1', 0, 2_147_483_647],
    ['128.0.0.0/1', 2_147_483_648, 4_294_967_295],
    ['203.0.113.7', 3_405_803_783, 3_405_803_783],
  ])('%s is the addresses from %i to %i', (text, first, last) => {
    expect(parseIpv4Block(text)).toEqual({ first, last });
  });

  it.each([
    '0.0.0.0/0',
    '203.0.113.7/32',
    '203.0.113.0/33',
    '203.0.113.0/024',
    '203.0.113.0/24.0',
    '203.0.113.0/+24',
    '203.0.113.0/2e1',
    '203.0.113.0/',
    '203.0.113.0//24',
    '203.0.113.0/24/24',
    '203.0.113.0/255.255.255.0',
    '203.0.113.0 /24',
    '/24',
    ' 203.0.113.0/24',
    '203.0.113.0/24 ',
    '203.0.113.0/24\n',
    'x203.0.113.0/24',
    '::203.0.113.0/24',
    '203.0.113.0/24x',
    '203.0.113/24',
    '0203.0.113.0/24',
    '203.0.113.7/24',
    '128.0.0.0/0',
    '2001:db8::/32',
    '*',
    '203.0.113.*',
    '203.0.113.0-203.0.113.9',
  ])('refuses %j, and such an entry lists nobody', (text) => {
    expect(parseIpv4Block(text)).toBeUndefined();
    expect(checkAddress([text], '203.0.113.7').passes).toBe(false);
  });

  it('lists exactly the addresses that Node finds in it', () => {
    const numbers = fc.record({
      network: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      length: fc.integer({ min: 1, max: 31 }),
      offset: fc.integer({ min: -3, max: 3 }),
      edge: fc.boolean(),
    });
    const format = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
    fc.assert(
      fc.property(numbers, ({ network, length, offset, edge }) => {
        const size = 2 ** (32 - length);
        const first = network - (network % size);
        const caller = Math.min(Math.max(first + (edge ? size : 0) + offset, 0), 2 ** 32 - 1);
        const oracle = new BlockList();
        oracle.addSubnet(format(first), length, 'ipv4');
        const { passes } = checkAddress([`${format(first)}/${length}`], format(caller));
        return passes === oracle.check(format(caller), 'ipv4');
      }),
    );
  });
});

describe('a list', () => {
  const LIST = ['203.0.113.7', '198.51.100.0/24'];

  it.each(['203.0.113.7', '198.51.100.0', '198.51.100.9', '198.51.100.255'])('lets %s pass', (address) => {
    expect(checkAddress(LIST, address).passes).toBe(true);
  });

  it.each(['203.0.113.6', '203.0.113.8', '203.0.113.70', '198.51.99.255', '198.51.101.0', '3.0.113.7'])(
    'refuses %s',
    (address) => {
      expect(checkAddress(LIST, address)).toEqual({ passes: false, reason: `${address} is not listed` });
    },
  );

  it('refuses everybody when it is empty', () => {
    expect(checkAddress([], '203.0.113.7').passes).toBe(false);
  });

  it('refuses a caller whose address is missing', () => {
    expect(checkAddress(LIST, undefined)).toEqual({
      passes: false,
      reason: "the caller's address is unknown",
    });
  });

  it('refuses an IPv6 caller, with a reason that does not quote the address', () => {
    expect(checkAddress(LIST, '2001:db8::1')).toEqual({
      passes: false,
      reason: "the caller's address is not an IPv4 address",
    });
  });

  it('names the entry that lists the address', () => {
    expect(checkAddress(LIST, '198.51.100.9').reason).toBe('198.51.100.9 is listed as 198.51.100.0/24');
    expect(checkAddress(['198.51.100.0/25', ...LIST], '198.51.100.9').reason).toBe(
      '198.51.100.9 is listed as 198.51.100.0/25',
    );
  });
});
