// What `apply` refuses and warns about in access settings.
import { describe, expect, it } from 'vitest';
import type { PartDiagnostic } from '../../../../../core/admin/diagnostic.ts';
import { validateAccess } from '../../../../../core/admin/validate/access/access.ts';
import { type Access, accessSchema } from '../../../../../core/settings/access-schema.ts';
import { splitDiagnostics } from '../../../../support/split-diagnostics.ts';
import { REFUSED_BLOCKS, USABLE_BLOCKS } from '../../../access/decision-table.ts';
import { accessOf } from '../../../access/table-cases.ts';

function validate(access: unknown) {
  return splitDiagnostics(validateAccess(accessSchema.parse(access) as Access, { allowLoopback: false }));
}

/** `path: message` of each one. */
function show(diagnostics: readonly PartDiagnostic[]): string[] {
  return diagnostics.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const paths = (diagnostics: readonly PartDiagnostic[]) => diagnostics.map(({ path }) => path.join('.'));

describe('settings', () => {
  it.each(USABLE_BLOCKS.flatMap(({ settings }) => settings))('with %s are taken', (words) => {
    expect(validate(accessOf(words)).errors).toEqual([]);
  });

  it.each(REFUSED_BLOCKS.flatMap(({ settings }) => settings))('refuses those with %s', (words) => {
    expect(validate(accessOf(words)).errors.length).toBeGreaterThan(0);
  });

  it('refuses public beside any other setting, and names the others', () => {
    expect(show(validate({ public: true, apiKey: true, ips: ['203.0.113.7'] }).errors)).toEqual([
      'public: excludes every other setting, but stands beside ips and apiKey: a public neuron checks nothing. Remove public, or remove ips and apiKey.',
    ]);
  });

  it('refuses public beside jwt, and what is wrong with jwt besides', () => {
    expect(paths(validate({ public: true, jwt: {} }).errors)).toEqual(['public', 'jwt']);
  });

  it('refuses switches that are off', () => {
    expect(show(validate({ public: false, apiKey: false }).errors)).toEqual([
      'public: is false, but what is not enabled is left out. Remove the line, or write public: true.',
      'apiKey: is false, but what is not enabled is left out. Remove the line, or write apiKey: true.',
    ]);
  });

  it('refuses empty lists', () => {
    expect(show(validate({ referers: [], ips: [] }).errors)).toEqual([
      'referers: is empty, which would let nobody in. List at least one entry, or remove referers.',
      'ips: is empty, which would let nobody in. List at least one entry, or remove ips.',
    ]);
    expect(validate({ referers: [], ips: [] }).warnings).toEqual([]);
  });
});

describe('warnings', () => {
  it('say that nobody can call a neuron with nothing enabled', () => {
    expect(show(validate({}).warnings)).toEqual([
      ': enables nothing, so every call is answered 403 access_closed. Enable apiKey, ips or referers, or write public: true.',
    ]);
  });

  it('count a setting that is there without a value as absent', () => {
    expect(validateAccess({ apiKey: undefined }, { allowLoopback: false })).toMatchObject([
      { severity: 'warning', path: [] },
    ]);
    expect(validateAccess({ public: true, apiKey: undefined }, { allowLoopback: false })).toEqual([]);
  });

  it('say that referers alone leave a neuron open', () => {
    expect(show(validate({ referers: ['app.example.com'] }).warnings)).toEqual([
      'referers: stands alone, which leaves the neuron open to every caller that sends neither Referer nor Origin, such as a script. Referers are no authentication: add apiKey, jwt or ips, or at least rateLimits.',
    ]);
  });

  it('say that a page cannot keep an API key', () => {
    const warning =
      'referers: concerns calls from web pages, but the only credential is an API key, which must never be in the code of a page. Remove referers, or let pages authenticate with a JWT.';
    const referers = ['app.example.com'];
    expect(show(validate({ referers, apiKey: true }).warnings)).toEqual([warning]);
    expect(show(validate({ referers, apiKey: true, ips: ['203.0.113.7'] }).warnings)).toEqual([warning]);
    expect(validate({ referers, apiKey: true, jwt: { sharedSecret: { secret: 'a' } } }).warnings).toEqual([]);
  });

  it.each([
    [{ public: true }],
    [{ apiKey: true }],
    [{ ips: ['203.0.113.7'] }],
    [{ ips: ['203.0.113.7'], apiKey: true }],
    [{ ips: ['203.0.113.7'], referers: ['app.example.com'] }],
    [{ referers: [] }],
  ])('are not given for %j', (access) => {
    expect(validate(access).warnings).toEqual([]);
  });
});

describe('entries of ips', () => {
  it('are taken as addresses and blocks', () => {
    expect(validate({ ips: ['203.0.113.7', '198.51.100.0/24', '203.0.113.8/31'] })).toEqual({
      errors: [],
      warnings: [],
    });
  });

  it.each([
    [
      '2001:db8::1',
      'is "2001:db8::1", which is IPv6, and only IPv4 callers can be listed. List the caller\'s IPv4 address.',
    ],
    [
      '::ffff:203.0.113.7',
      'is "::ffff:203.0.113.7", which is IPv6, and only IPv4 callers can be listed. List the caller\'s IPv4 address.',
    ],
    ['203.0.113.7/32', 'is "203.0.113.7/32", which is a second spelling of one address. Write 203.0.113.7.'],
    [
      '0.0.0.0/0',
      'is "0.0.0.0/0", which lists every address, so it refuses nobody. Remove it; public: true is what opens a neuron to everyone.',
    ],
    [
      '198.51.100.77/26',
      'is "198.51.100.77/26", which sets bits beyond its prefix length, so what it is meant to list is unclear. Write 198.51.100.64/26 for the block or 198.51.100.77 for the address.',
    ],
    [
      '203.0.113.7/1',
      'is "203.0.113.7/1", which sets bits beyond its prefix length, so what it is meant to list is unclear. Write 128.0.0.0/1 for the block or 203.0.113.7 for the address.',
    ],
  ])('refuses %s and says what to write', (entry, message) => {
    expect(show(validate({ ips: [entry] }).errors)).toEqual([`ips.0: ${message}`]);
  });

  it.each([
    '',
    ' 203.0.113.7',
    '203.0.113.7 ',
    '127.1',
    '0177.0.0.1',
    '0x7f000001',
    '２０３.0.113.7',
    '203.0.113.07',
    '0xcb.0.0x71.7',
    '3405803783',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.0/',
    '203.0.113.0/33',
    '203.0.113/24',
    'app.example.com/24',
    '203.0.113.0/024',
    '203.0.113.0/24/24',
    '203.0.113.0/255.255.255.0',
    'app.example.com',
    '*',
  ])('refuses %j and says which spelling is taken', (entry) => {
    expect(show(validate({ ips: ['198.51.100.9', entry] }).errors)).toEqual([
      `ips.1: is ${JSON.stringify(entry)}, which is not an IPv4 address or block in the one spelling that is taken: four decimal numbers without leading zeros. Write it as 203.0.113.7 or 203.0.113.0/24.`,
    ]);
  });

  it('refuses what is inside another entry, wherever it stands, and warn about one that is listed twice', () => {
    const ips = [
      '198.51.100.9',
      '198.51.100.0/24',
      '203.0.113.7',
      '198.51.100.0/25',
      '203.0.113.7',
      '198.51.101.0/24',
    ];
    expect(show(validate({ ips }).errors)).toEqual([
      'ips.3: is 198.51.100.0/25, which changes nothing, because 198.51.100.0/24 covers it. Remove it, or narrow 198.51.100.0/24.',
      'ips.0: is 198.51.100.9, which changes nothing, because 198.51.100.0/24 covers it. Remove it, or narrow 198.51.100.0/24.',
    ]);
    expect(show(validate({ ips }).warnings)).toEqual([
      'ips.4: is 203.0.113.7, which is listed twice. Remove one of them.',
    ]);
  });

  it('refuses a block inside a wider one of the same beginning, whichever comes first', () => {
    expect(paths(validate({ ips: ['198.51.100.0/25', '198.51.100.0/24', '198.51.100.0'] }).errors)).toEqual([
      'ips.0',
      'ips.2',
    ]);
  });

  it('refuses what lies inside a block that comes later and begins earlier', () => {
    const ips = ['203.0.113.7', '203.0.113.6', '203.0.113.0/24', '203.0.112.0/24', '8.8.8.8'];
    expect(paths(validate({ ips }).errors)).toEqual(['ips.1', 'ips.0']);
  });

  it.each([
    ['0.1.2.3', 'is not an address of a host'],
    ['10.0.0.0/8', 'is private'],
    ['10.255.255.255', 'is private'],
    ['100.64.0.1', 'is shared address space of carriers'],
    ['127.0.0.1', 'is the machine itself'],
    ['169.254.169.254', 'is link-local'],
    ['172.31.255.255', 'is private'],
    ['192.168.1.0/24', 'is private'],
    ['224.0.0.1', 'is multicast or reserved'],
    ['255.255.255.255', 'is multicast or reserved'],
  ])('warn about %s, which %s', (entry, why) => {
    expect(show(validate({ ips: ['203.0.113.7', entry] }).warnings)).toEqual([
      `ips.1: is ${entry}, which ${why}, so no call over the internet comes from it. List the public address that your callers leave through, such as that of their NAT gateway.`,
    ]);
  });

  it.each([
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.32.0.0',
    '223.255.255.255',
  ])('warn not about %s beside those ranges', (entry) => {
    expect(validate({ ips: [entry] }).warnings).toEqual([]);
  });

  it('are validated by the thousand', () => {
    const ips = Array.from({ length: 1000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
    expect(validate({ ips })).toEqual({ errors: [], warnings: [] });
  });
});
