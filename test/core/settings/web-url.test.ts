// URLs of settings: what parsing would mend is refused, so that the text is what is connected to.
import { describe, expect, it } from 'vitest';
import { rejectUrl } from '../../../core/settings/address-policy.ts';
import { url } from '../../../core/settings/scalars.ts';
import { parseWebUrl } from '../../../core/settings/web-url.ts';

describe('a URL', () => {
  it.each([
    'https://login.example.com/.well-known/jwks.json',
    'http://127.0.0.1:8080/v1',
    'HTTPS://LOGIN.example.com',
    'https://bücher.example/keys?a=b%20c',
    'https://login.example.com:65535/',
    'https://login.example.com:443/',
    'https://a/',
    'https://[2606:4700::1111]/',
  ])('is taken: %j', (text) => {
    expect(parseWebUrl(text)?.href).toBe(new URL(text).href);
    expect(url.safeParse(text).success).toBe(true);
  });

  it.each([
    ['a tab', 'https://login.exam\tple.com/'],
    ['a line end', 'https://login.example.com/\nkeys'],
    ['a carriage return', 'https://login.example.com/\rkeys'],
    ['NUL behind it', 'https://login.example.com/\u0000'],
    ['DEL', 'https://login.example.com/\u007f'],
    ['C1', 'https://login.example.com/\u0085'],
    ['a blank before it', ' https://login.example.com/'],
    ['a blank behind it', 'https://login.example.com/ '],
    ['a blank within', 'https://login.example.com/a b'],
    ['a no-break space', 'https://login.example.com/\u00a0'],
    ['a line separator', 'https://login.example.com/\u2028'],
    ['a soft hyphen', 'https://login.exam\u00adple.com/'],
    ['a zero-width space', 'https://login.exam\u200bple.com/'],
    ['a bidirectional override', 'https://login.example.com/\u202eyek'],
    ['a private-use character', 'https://login.example.com/\ue000'],
    ['half a surrogate pair', 'https://login.example.com/\ud800'],
    ['a byte order mark', '\ufeffhttps://login.example.com/'],
    ['a backslash before the host', 'https:\\\\login.example.com/'],
    ['a backslash after the slashes', 'https://\\login.example.com/'],
    ['a backslash behind the host', 'https://login.example.com\\@evil.example/'],
    ['a backslash in the path', 'https://login.example.com/a\\b'],
    ['three slashes', 'https:///login.example.com/'],
    ['one slash', 'https:/login.example.com/'],
    ['no slash', 'https:login.example.com/'],
    ['no scheme', 'login.example.com/'],
    ['something before the scheme', 'xhttps://login.example.com/'],
    ['another scheme', 'ftp://login.example.com/'],
    ['no host', 'https://'],
    ['a port that is none', 'https://login.example.com:x/'],
    ['a port beyond the last', 'https://login.example.com:65536/'],
    ['port 0', 'https://login.example.com:0/'],
    ['port 0 in another spelling', 'https://login.example.com:000/'],
  ])('with %s is refused, by the schema and by the policy', (_what, text) => {
    expect(parseWebUrl(text)).toBeUndefined();
    expect(url.safeParse(text).success).toBe(false);
    expect(rejectUrl(text, { allowLoopback: true })).toBe('must be a URL such as https://api.example.com/v1');
  });

  it.each(['https://u@login.example.com/', 'https://:p@login.example.com/', 'https://login.example.com/#x'])(
    'with a user, a password or a fragment is refused by the schema: %s',
    (text) => {
      expect(url.safeParse(text).success).toBe(false);
    },
  );

  it.each([`https://${'a'.repeat(64)}.example.com/`, 'https://-a.example.com/', 'https://a-.example.com/'])(
    'whose host is no name is refused by the policy: %s',
    (text) => {
      const rejection = 'must name a host with a domain, such as api.example.com';
      expect(rejectUrl(text, { allowLoopback: false })).toBe(rejection);
    },
  );
});
