// Origins: held against the list of referers as well, whether a Referer is there or not.
import { describe, expect, it } from 'vitest';
import { checkReferer, originHost } from '../../../core/access/referer.ts';

const LIST = ['app.example.com', '*.example.org'];

interface PageHeaders {
  readonly referers?: readonly string[];
  readonly origins?: readonly string[];
}
const check = ({ referers = [], origins = [] }: PageHeaders, entries: readonly string[] = LIST) =>
  checkReferer(entries, { referers, origins });

describe('an Origin', () => {
  it.each([
    'https://app.example.com',
    'http://app.example.com',
    'https://app.example.com:8443',
    'HTTPS://APP.EXAMPLE.COM',
    'https://www.example.org',
  ])('passes with %j', (origin) => {
    expect(check({ origins: [origin] }).passes).toBe(true);
  });

  it.each([
    'null',
    'NULL',
    '',
    'https://evil.example',
    'https://app.example.com.evil.example',
    'https://example.org',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/page',
    'https://app.example.com?',
    'https://app.example.com#',
    'https://app.example.com\\',
    'https://user@app.example.com',
    'https://:password@app.example.com',
    'https://app.example.com https://app.example.com',
    'https://app.example.com, https://app.example.com',
    'https://app.example.com.',
    'https://app.exаmple.com',
    ' https://app.example.com',
    'https://app.example.com ',
    'xhttps://app.example.com',
    'capacitor://app.example.com',
    'chrome-extension://app.example.com',
    'file://',
  ])('refuses %j', (origin) => {
    expect(check({ origins: [origin] }).passes).toBe(false);
    // Also beside a Referer that is listed.
    expect(check({ referers: ['https://app.example.com/'], origins: [origin] }).passes).toBe(false);
  });

  it('does not make up for a Referer that is not listed', () => {
    const page = { referers: ['https://evil.example/'], origins: ['https://app.example.com'] };
    expect(check(page)).toEqual({ passes: false, reason: "the Referer's host evil.example is not listed" });
  });

  it('is refused twice, even when both are listed', () => {
    const origin = 'https://app.example.com';
    expect(check({ origins: [origin, origin] })).toEqual({
      passes: false,
      reason: 'the request carries more than one Origin',
    });
  });

  it('is named in the reason, beside the Referer where there is one', () => {
    const origins = ['https://app.example.com:8443'];
    const listed = "the Origin's host app.example.com is listed as app.example.com";
    expect(check({ origins })).toEqual({ passes: true, reason: listed });
    expect(check({ origins, referers: ['https://www.example.org/'] })).toEqual({
      passes: true,
      reason: `the Referer's host www.example.org is listed as *.example.org, and ${listed}`,
    });
    expect(check({ origins: ['https://evil.example'] }).reason).toBe(
      "the Origin's host evil.example is not listed",
    );
    expect(check({ origins: ['null'] }).reason).toBe('the Origin is not the origin of a web page');
  });

  it.each([
    ['https://app.example.com:8443', 'app.example.com'],
    ['http://[::1]', undefined],
    ['https://app.example.com/', undefined],
    ['null', undefined],
  ])('%s has the host %s', (origin, host) => {
    expect(originHost(origin)).toBe(host);
  });
});
