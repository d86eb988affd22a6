// What the server of `neuron console` refuses: every way from elsewhere into an operator's rights.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryPorts, type MemoryPorts, organizationRecord } from '../memory-ports.ts';
import { openConsole, send, signIn } from './open-console.ts';

let ports: MemoryPorts;
let opened: Awaited<ReturnType<typeof openConsole>>;
let browser: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  opened = await openConsole(ports);
  browser = await signIn(opened);
});
afterEach(() => opened.close());

const pause = () => JSON.stringify({ organization: 'acme' });

describe('a request to the console', () => {
  it('reads within a session', async () => {
    const got = await send(opened.host, '/api/run/organizations', { headers: { cookie: browser.cookie } });
    expect(got.status).toBe(200);
    expect(JSON.parse(got.text).values).toMatchObject([{ organization: 'acme' }]);
  });

  it('changes within a session, with its CSRF token', async () => {
    const got = await send(opened.host, '/api/run/pause', {
      method: 'POST',
      headers: browser.change,
      body: pause(),
    });
    expect(got.status).toBe(200);
    expect((await ports.store.readOrganization('acme'))?.pause).toBeDefined();
  });

  it.each([
    ['another name (DNS rebinding)', 'evil.example'],
    ['another name with our port', 'evil.example:PORT'],
    ['another port', '127.0.0.1:1'],
    ['no port', '127.0.0.1'],
    ['a name that begins like ours', '127.0.0.1.evil.example:PORT'],
  ])('is refused under %s, whatever it asks for', async (_what, host) => {
    const headers = { host: host.replace('PORT', String(opened.port)), cookie: browser.cookie };
    for (const path of ['/', '/api/session', '/api/run/organizations', '/sign-in?token=x'])
      expect((await send(opened.host, path, { headers })).status, path).toBe(421);
  });

  it.each(['https://evil.example', 'http://evil.example', 'http://127.0.0.1:1', 'null', 'https://HOST', ''])(
    'is refused from the origin %j',
    async (origin) => {
      const headers = { ...browser.change, origin: origin.replace('HOST', opened.host) };
      const got = await send(opened.host, '/api/run/pause', { method: 'POST', headers, body: pause() });
      expect(got.status).toBe(403);
      expect((await ports.store.readOrganization('acme'))?.pause).toBeUndefined();
    },
  );

  it.each(['cross-site', 'same-site', 'none'])(
    'for data is refused where the browser says %s',
    async (site) => {
      const headers = { cookie: browser.cookie, 'sec-fetch-site': site };
      expect((await send(opened.host, '/api/run/organizations', { headers })).status).toBe(403);
    },
  );

  it.each([
    ['no cookie', undefined],
    ['an invented cookie', 'neuron-console-PORT=invented'],
    ['the cookie under the name of another port', 'neuron-console-1=VALUE'],
    ['the cookie twice', 'neuron-console-PORT=VALUE; neuron-console-PORT=VALUE'],
  ])('for data is refused with %s', async (_what, cookie) => {
    const value = browser.cookie.split('=')[1] ?? '';
    const sent = cookie?.replaceAll('PORT', String(opened.port)).replaceAll('VALUE', value);
    const got = await send(opened.host, '/api/run/organizations', { headers: { cookie: sent } });
    expect(got.status).toBe(401);
    expect(got.text).toContain('neuron console');
    expect(got.text).not.toContain('acme');
  });

  it.each([
    ['no CSRF token', { 'x-csrf-token': undefined }, 403],
    ['another CSRF token', { 'x-csrf-token': 'a'.repeat(43) }, 403],
    ['no Origin', { origin: undefined }, 403],
    ['the body of a form', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['a body of text', { 'content-type': 'text/plain' }, 400],
  ])('for a change is refused with %s', async (_what, changed, status) => {
    const headers = { ...browser.change, ...changed };
    const got = await send(opened.host, '/api/run/pause', { method: 'POST', headers, body: pause() });
    expect(got.status).toBe(status);
    expect((await ports.store.readOrganization('acme'))?.pause).toBeUndefined();
  });

  it('changes nothing by GET', async () => {
    const got = await send(opened.host, '/api/run/pause?organization=acme', {
      headers: { cookie: browser.cookie },
    });
    expect(got.status).toBe(422);
    expect((await ports.store.readOrganization('acme'))?.pause).toBeUndefined();
  });

  it('reaches no other words of the command line than those of the operation', async () => {
    const paths = [
      '/api/run/settings?target=--file=/etc/passwd',
      '/api/run/neurons?organization=--help',
      '/api/run/constructor',
      '/api/run/apply?path=/tmp',
      '/api/run/secrets',
    ];
    for (const path of paths) {
      const got = await send(opened.host, path, { headers: { cookie: browser.cookie } });
      expect(got.status, path).toBe(422);
    }
  });
});

describe('the address that is printed', () => {
  it('signs in once', async () => {
    const { pathname, search } = new URL(opened.createAddress());
    const first = await send(opened.host, pathname + search);
    expect(first.status).toBe(200);
    expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const second = await send(opened.host, pathname + search);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
  });

  it('is replaced by the next one', async () => {
    const [first, second] = [new URL(opened.createAddress()), new URL(opened.createAddress())];
    expect((await send(opened.host, first.pathname + first.search)).status).toBe(403);
    expect((await send(opened.host, second.pathname + second.search)).status).toBe(200);
  });

  it.each(['', '?token=', '?token=x', `?token=${'A'.repeat(43)}`])(
    'signs nobody in with %j',
    async (query) => {
      opened.createAddress();
      const got = await send(opened.host, `/sign-in${query}`);
      expect(got.status).toBe(403);
      expect(got.headers['set-cookie']).toBeUndefined();
    },
  );
});

describe('every answer', () => {
  it.each(['/', '/o/acme/logs', '/missing.js', '/sign-in?token=x', '/api/session', '/api/run/nothing'])(
    'of %s is kept out of frames, caches and sniffing, and runs nothing inline',
    async (path) => {
      const { headers } = await send(opened.host, path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    },
  );

  it('listens on the loopback address alone', async () => {
    const elsewhere = await send(`127.0.0.2:${opened.port}`, '/').catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(elsewhere).toBe('ECONNREFUSED');
  });
});
