// The credentials of a bundle: those of Lambda's variables, and no other provider is even there.
import { readFileSync } from 'node:fs';
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
});
