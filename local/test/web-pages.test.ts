// Tests that no web page reaches the local tables and secrets, whatever address it guesses.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { lockOf, prepare, setSecret, start } from './notes-run.ts';

const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local',
  'x-amz-date': '20260101T000000Z',
};
const OPERATIONS = {
  dynamodb: { target: 'DynamoDB_20120810.ListTables', type: 'application/x-amz-json-1.0', body: '{}' },
  secretsmanager: {
    target: 'secretsmanager.GetSecretValue',
    type: 'application/x-amz-json-1.1',
    body: '{"SecretId":"notes/password"}',
  },
};

/** Calls the service, with headers that override the usual ones; 0 where the connection ended without an answer. */
function call(service: keyof typeof OPERATIONS, url: string, headers: object = {}, method = 'POST') {
  const { target, type, body } = OPERATIONS[service];
  return new Promise<{ status: number; cors: string | undefined }>((resolve) => {
    const own = { ...SIGNED, 'x-amz-target': target, 'content-type': type, 'content-length': body.length };
    const outgoing = request(url, { method, headers: { ...own, ...headers } }, (answer) => {
      answer.resume();
      const cors = answer.headers['access-control-allow-origin'];
      resolve({ status: answer.statusCode ?? 0, cors });
    });
    outgoing.once('error', () => resolve({ status: 0, cors: undefined }));
    outgoing.end(body);
  });
}

/** Listening sockets of a process (proc(5), `/proc/net/tcp`: bytes of an address are in the machine's order). */
function listenersOf(pid: number): readonly { readonly address: string; readonly port: number }[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /\d+/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[0]),
  );
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      const bytes = (address.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
      return { address: bytes.toReversed().join('.'), port: Number.parseInt(port, 16) };
    });
}

describe.each(['dynoxide', 'dynalite'] as const)('the stores of a local run on %s', (engine) => {
  it('answer programs that know the address, and refuse every web page', async () => {
    const { root, data } = prepare();
    const { local } = await start(root, data, { engine });
    await setSecret(local, 'green tea');
    for (const service of ['dynamodb', 'secretsmanager'] as const) {
      const url = local.endpoints[service];
      const { origin, pathname, port } = new URL(url);
      expect(pathname).toMatch(/^\/[0-9a-f]{32}$/);
      expect(await call(service, url)).toEqual({ status: 200, cors: undefined });
      const refused = [
        call(service, url, { origin: 'https://page.example' }),
        call(service, url, { origin: 'null' }),
        call(service, url, { origin: `http://127.0.0.1:${port}` }),
        call(service, url, { 'sec-fetch-site': 'none' }),
        call(service, url, { host: `rebound.example:${port}` }),
        call(service, url, { host: '127.0.0.1.rebound.example' }),
        call(service, url, {}, 'GET'),
        call(
          service,
          url,
          { origin: 'https://page.example', 'access-control-request-method': 'POST' },
          'OPTIONS',
        ),
        call(service, origin),
        call(service, `${origin}/${'0'.repeat(32)}`),
        call(service, `${url}0`),
        call(service, `${origin}/?${pathname.slice(1)}`),
      ];
      for (const outcome of await Promise.all(refused))
        expect(outcome).toEqual({ status: 403, cors: undefined });
      expect(await call(service, url)).toEqual({ status: 200, cors: undefined });
    }
  });

  it('answer the AWS SDK, which keeps the path of the endpoint', async () => {
    const { root, data } = prepare();
    const { local } = await start(root, data, { engine });
    const settings = { region: local.region, credentials: CREDENTIALS };
    const tables = new DynamoDBClient({ ...settings, endpoint: local.endpoints.dynamodb });
    expect((await tables.send(new ListTablesCommand({}))).TableNames).toEqual(['Notes-NotesTable']);
    const secrets = new SecretsManagerClient({ ...settings, endpoint: local.endpoints.secretsmanager });
    await setSecret(local, 'green tea');
    const secret = await secrets.send(new GetSecretValueCommand({ SecretId: 'notes/password' }));
    expect(secret.SecretString).toBe('green tea');
  });

  it('are not to be found on 127.0.0.1, where a page may try every port', async () => {
    const { root, data } = prepare();
    await start(root, data, { engine });
    const [listener, ...others] = listenersOf(lockOf(data).engine.pid);
    expect(others).toEqual([]);
    if (listener?.address !== '127.0.0.1') expect(listener?.address).toMatch(/^127\.(?!0\.0\.)/);
    else {
      const page = { origin: 'https://page.example' };
      const outcome = await call('dynamodb', `http://127.0.0.1:${listener.port}`, page);
      expect(outcome).toEqual({ status: 403, cors: undefined });
    }
  });
});
