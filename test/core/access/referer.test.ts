// Referers: which host a header names, which entries cover it, and the tricks that must not pass.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReferer, coversHost, refererHost } from '../../../core/access/referer.ts';

const LIST = ['app.example.com', '*.example.org'];

interface PageHeaders {
  readonly referers?: readonly string[];
  readonly origins?: readonly string[];
}
const check = ({ referers = [], origins = [] }: PageHeaders, entries: readonly string[] = LIST) =>
  checkReferer(entries, { referers, origins });
const fromReferer = (referer: string) => check({ referers: [referer] });

describe('a Referer', () => {
  it('does not pass where it is unknown which headers the caller sent', () => {
    const unknown = { passes: false, reason: "the request's headers are unknown" };
    expect(checkReferer(LIST, { referers: undefined, origins: [] })).toEqual(unknown);
    expect(checkReferer(LIST, { referers: [], origins: undefined })).toEqual(unknown);
    expect(checkReferer(LIST, { referers: [], origins: [] })).toMatchObject({ passes: true });
  });

  it.each([
    'https://app.example.com',
    'https://app.example.com/',
    'http://app.example.com/',
    'https://app.example.com/a/b?c=d',
    'https://app.example.com?c=d',
    'https://app.example.com:8443/',
    'https://app.example.com:443/',
    'HTTPS://APP.EXAMPLE.COM/',
    'https://app.example.com/?next=https://evil.example/',
    'https://app.example.com/a@evil.example',
    'https://app%2eexample.com/',
    'https://www.example.org/',
    'https://a.b.example.org/',
  ])('passes with %j', (referer) => {
    expect(fromReferer(referer).passes).toBe(true);
  });

  it.each([
    // Other hosts that begin, end or look like a listed one.
    'https://evil.example/',
    'https://example.com/',
    'https://www.app.example.com/',
    'https://app.example.com.evil.example/',
    'https://app.example.comevil.example/',
    'https://evilapp.example.com/',
    'https://app-example.com/',
    'https://appxexample.com/',
    'https://evilexample.org/',
    'https://example.org/',
    'https://www.example.org.evil.example/',
    'https://evil.example/app.example.com',
    'https://evil.example/?https://app.example.com/',
    'https://evil.example/#https://app.example.com/',
    // Userinfo and its look-alikes.
    'https://app.example.com@evil.example/',
    'https://app.example.com:x@evil.example/',
    'https://app.example.com%40evil.example/',
    'https://user@app.example.com/',
    'https://user:password@app.example.com/',
    'https://:password@app.example.com/',
    'https://app.example.com/#fragment',
    'https://app.example.com#@evil.example/',
    // Backslashes, spaces and controls, which WHATWG parsing would mend.
    'https://evil.example\\@app.example.com/',
    'https:\\\\app.example.com\\',
    'https://app.example.com\\.evil.example/',
    ' https://app.example.com/',
    'https://app.example.com/ ',
    'https://app.exam\tple.com/',
    'https://app.example.com/\n',
    'https://app.example.com/a b',
    'https://app.example.com\u0000/',
    // Trailing dots, empty labels, other alphabets.
    'https://app.example.com./',
    'https://www.example.org./',
    'https://app.example.com../',
    'https://.example.org/',
    'https://..example.org/',
    'https://a..example.org/',
    'https://*.example.org/',
    'https://app.exаmple.com/',
    'https://ａｐｐ.example.com/',
    'https://app。example.com/',
    'https://xn--app-example-com/',
    'https://xn--pp-7kc.example.com/',
    'https://app.examp1e.com/',
    `https://${'a'.repeat(300)}.example.org/`,
    // No URL of a web page.
    '',
    'null',
    'about:blank',
    'about:client',
    'app.example.com',
    '//app.example.com/',
    '/page',
    'https:app.example.com',
    'https:/app.example.com/',
    'ftp://app.example.com/',
    'file:///app.example.com',
    'data:text/html,app.example.com',
    'javascript://app.example.com/',
    'blob:https://app.example.com/1',
    'android-app://app.example.com/',
    'wss://app.example.com/',
    'https://',
    'https://?',
    'https://[::ffff:203.0.113.7]/',
    'https://127.0.0.1/',
    'https://app.example.com:x/',
    'https://app.example.com:99999/',
    'https://app.example.com, https://app.example.com/',
    'https://app.example.com,evil.example/',
  ])('refuses %j', (referer) => {
    expect(fromReferer(referer).passes).toBe(false);
  });

  it('passes when it is absent, as the specification says', () => {
    expect(check({})).toEqual({
      passes: true,
      reason: 'the request carries neither Referer nor Origin',
    });
  });

  it('refuses an Origin with anything behind its host, another origin too', () => {
    expect(check({ origins: ['https://app.example.com/https://app.example.com'] }).passes).toBe(false);
    expect(check({ origins: ['https://app.example.com'] }).passes).toBe(true);
  });

  it('refuses two of them, even when both are listed', () => {
    const referer = 'https://app.example.com/';
    expect(check({ referers: [referer, referer] })).toEqual({
      passes: false,
      reason: 'the request carries more than one Referer',
    });
  });

  it('refuses every host where the list is empty', () => {
    expect(check({ referers: ['https://app.example.com/'] }, []).passes).toBe(false);
    expect(check({ origins: ['https://app.example.com'] }, []).passes).toBe(false);
  });

  it('names the first entry that lists the host', () => {
    expect(check({ referers: ['https://www.example.org/'] }, ['*.example.org', 'www.example.org'])).toEqual({
      passes: true,
      reason: "the Referer's host www.example.org is listed as *.example.org",
    });
  });

  it('names the host that is not listed, and quotes no header that is no URL', () => {
    expect(fromReferer('https://evil.example/private?token=1').reason).toBe(
      "the Referer's host evil.example is not listed",
    );
    expect(fromReferer('nonsense').reason).toBe('the Referer is not the URL of a web page');
  });
});

describe('the host of a Referer', () => {
  it.each([
    ['https://app.example.com/page', 'app.example.com'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['http://localhost:3000/', 'localhost'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://a_b.example/', 'a_b.example'],
  ])('of %s is %s', (referer, host) => {
    expect(refererHost(referer)).toBe(host);
  });

  it('has at most 253 characters', () => {
    const longest = `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61);
    expect(refererHost(`https://${longest}/`)).toBe(longest);
    expect(refererHost(`https://${longest}a/`)).toBeUndefined();
  });
});

describe('an entry', () => {
  it.each([
    ['app.example.com', 'app.example.com', true],
    ['app.example.com', 'www.app.example.com', false],
    ['*.example.com', 'app.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'notexample.com', false],
    ['*.example.com', 'example.com.evil.example', false],
    ['127.0.0.1', '127.0.0.1', true],
    // Entries that apply refuses, found in the store: they cover nothing that they should not.
    ['*', 'app.example.com', false],
    ['*.', 'app.example.com', false],
    ['*com', 'app.example.com', false],
    ['*example.com', 'app.example.com', false],
    ['**.example.com', 'app.example.com', false],
    ['*.*.example.com', 'a.b.example.com', false],
    ['app.*', 'app.example.com', false],
    ['.example.com', 'app.example.com', false],
    ['', 'app.example.com', false],
    ['*.0.0.1', '127.0.0.1', false],
    ['*.1', '127.0.0.1', false],
    ['*.2.3.4', '1.2.3.4', false],
    ['APP.example.com', 'app.example.com', false],
    ['https://app.example.com', 'app.example.com', false],
  ])('%j covers %s: %s', (entry, host, covers) => {
    expect(coversHost(entry, host)).toBe(covers);
  });

  it('covers with a wildcard only hosts of which it is a proper suffix at a dot', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), label, (labels, own) => {
        const domain = labels.join('.');
        return (
          coversHost(`*.${domain}`, `${own}.${domain}`) &&
          !coversHost(`*.${domain}`, `${own}${domain}`) &&
          !coversHost(`*.${domain}`, domain) &&
          !coversHost(`*.${domain}`, `${own}.${domain}.${own}x`)
        );
      }),
    );
  });
});
