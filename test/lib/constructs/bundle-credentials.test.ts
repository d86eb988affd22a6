// What a bundle leaves out of the SDK: every provider of credentials but Lambda's variables, and what no function uses; and its size.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeBundle } from '../../../lib/constructs/compute/bundle.ts';
import { listen } from '../../adapters/http/raw-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const file = join(temporaryFolder(), 'index.mjs');
let callBothStores: (endpoint: string) => Promise<unknown[]>;

beforeAll(async () => {
  writeBundle('test/lib/constructs/fixtures/call-both-stores.ts', file);
  ({ callBothStores } = (await import(file)) as { callBothStores: typeof callBothStores });
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
    const code = readFileSync(file, 'utf8');
    const marks = ['169.254.170.2', 'sso_start_url', 'credential_process', 'AWS_WEB_IDENTITY_TOKEN_FILE'];
    expect(marks.filter((mark) => code.includes(mark))).toEqual([]);
  });

  it('contains no endpoint discovery, whatever the environment says', async () => {
    expect(readFileSync(file, 'utf8')).not.toMatch(
      /AWS_ENABLE_ENDPOINT_DISCOVERY|endpoint_discovery_enabled/,
    );
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'ASIAOFTHEROLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-the-role');
    vi.stubEnv('AWS_ENABLE_ENDPOINT_DISCOVERY', 'true');
    const store = await startStore();
    await callBothStores(store.url);
    expect(store.signatures).toHaveLength(4);
  });
});

describe('the bundle', () => {
  // What comes near a budget is looked at before it is raised: every cold start loads all of it.
  it.each([
    ['authorizer', 420],
    ['execute', 540],
  ])('of %s is within its budget of %i KiB', (name, kibibytes) => {
    const bundled = join(temporaryFolder(), 'index.mjs');
    writeBundle(`lambdas/${name}/handler.ts`, bundled);
    expect(statSync(bundled).size).toBeLessThanOrEqual(kibibytes * 1024);
  });
});
