// The heads of all chains where they are more than a page of DynamoDB has: 1 MB, some 7,000 organizations.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headAttributes, headKeys } from '../../../../adapters/dynamodb/seals/seal-items.ts';
import { listHeads } from '../../../../adapters/dynamodb/seals/seal-reader.ts';

const PAGE = 7_000;
const ORGANIZATIONS = 2.5 * PAGE;

/** Sorted, as DynamoDB has them. */
const CHAINS = Array.from({ length: ORGANIZATIONS }, (_, index) => String(index).padStart(24, '0'));

interface AskedQuery {
  readonly ExclusiveStartKey?: { readonly sk: { readonly S: string } };
}

/** Answers a query with the page that follows its start key. */
const asked: AskedQuery[] = [];
const server = createServer((incoming, outgoing) => {
  let body = '';
  incoming.on('data', (piece) => {
    body += piece;
  });
  incoming.on('end', () => {
    const query = JSON.parse(body) as AskedQuery;
    asked.push(query);
    const after = query.ExclusiveStartKey?.sk.S;
    const from = after === undefined ? 0 : CHAINS.indexOf(after) + 1;
    const page = CHAINS.slice(from, from + PAGE);
    const items = page.map((chain) =>
      marshall({
        ...headKeys(chain),
        ...headAttributes({ chain, sequence: 1, hash: 'a'.repeat(64), sealedAtMs: 1 }),
      }),
    );
    const isLast = from + PAGE >= CHAINS.length;
    const more = isLast ? {} : { LastEvaluatedKey: marshall(headKeys(page.at(-1) ?? '')) };
    outgoing.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    outgoing.end(JSON.stringify({ Items: items, Count: items.length, ...more }));
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the heads of all chains', () => {
  it('are read page by page, each once, for more organizations than one page has', async () => {
    const { port } = server.address() as AddressInfo;
    const client = DynamoDBDocumentClient.from(
      new DynamoDBClient({
        region: 'us-east-1',
        endpoint: `http://127.0.0.1:${port}`,
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        maxAttempts: 1,
      }),
    );
    const chains: string[] = [];
    for await (const { chain } of listHeads(client, 'usage')) chains.push(chain);
    expect(chains).toEqual(CHAINS);
    expect(asked).toHaveLength(3);
    client.destroy();
  });
});
