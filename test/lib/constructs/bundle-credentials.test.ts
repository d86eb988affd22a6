// What a bundle leaves out of the SDK: every provider of credentials but Lambda's variables, and what no function uses.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeBundle } from '../../../lib/constructs/compute/bundle.ts';
import { listen } from '../../adapters/http/raw-server.ts';
import { readBundle } from '../../support/bundle-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const codes = () => readBundle(folder).map(({ code }) => code);
let callBothStores: (endpoint: string) => Promise<unknown[]>;

beforeAll(async () => {
  writeBundle('test/lib/constructs/fixtures/call-both-stores.ts', folder);
  ({ callBothStores } = (await import(join(folder, 'index.mjs'))) as {
    callBothStores: typeof callBothStores;
  });
});
afterEach(() => vi.unstubAllEnvs());

async function startStore() {
  const signatures: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    signatures.push(request.headers.authorization, String(request.headers['x-amz-security-token']));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}`, signatures };
}

describe('a bundle', () => {
  it('signs calls to both stores with the credentials of its environment variables', async () => {
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'ASIAOFTHEROLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-the-role');
    vi.stubEnv('AWS_SESSION_TOKEN', 'token-of-the-role');
    const store = await startStore();
    await callBothStores(store.url);
    expect(store.signatures).toEqual([
      expect.stringContaining('Credential=ASIAOFTHEROLE/'),
      'token-of-the-role',
      expect.stringContaining('Credential=ASIAOFTHEROLE/'),
      'token-of-the-role',
    ]);
  });

  it('fails without those variables, and tries no other source of credentials', async () => {
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    vi.stubEnv('AWS_PROFILE', 'default');
    const store = await startStore();
    for (const outcome of await callBothStores(store.url)) {
      expect(String(outcome)).toContain('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
    }
    expect(store.signatures).toEqual([]);
  });

  it('contains no provider that reads profiles, runs programs or calls a metadata service', () => {
    const code = codes().join('\n');
    const marks = ['169.254.170.2', 'sso_start_url', 'credential_process', 'AWS_WEB_IDENTITY_TOKEN_FILE'];
    expect(marks.filter((mark) => code.includes(mark))).toEqual([]);
  });

  it('contains no endpoint discovery, whatever the environment says', async () => {
    expect(codes().join('\n')).not.toMatch(/AWS_ENABLE_ENDPOINT_DISCOVERY|endpoint_discovery_enabled/);
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'ASIAOFTHEROLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-the-role');
    vi.stubEnv('AWS_ENABLE_ENDPOINT_DISCOVERY', 'true');
    const store = await startStore();
    await callBothStores(store.url);
    expect(store.signatures).toHaveLength(4);
  });
});
