// The tables of a local stack, for what no command does: looking at items as they are stored, and breaking them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

/** What a local run writes down about itself. */
export interface LocalOutputs {
  readonly stacks: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly endpoints: { readonly dynamodb: string; readonly secretsmanager: string; readonly url: string };
}

/** Reads it. */
export function readOutputs(dataFolder: string): LocalOutputs {
  return JSON.parse(readFileSync(join(dataFolder, 'outputs.json'), 'utf8')) as LocalOutputs;
}

/** An output of the stacks by its name, such as `LogsTable`. */
export function outputOf(dataFolder: string, name: string): string {
  const value = Object.values(readOutputs(dataFolder).stacks).flatMap((outputs) => outputs[name] ?? [])[0];
  if (value === undefined) throw new Error(`no output ${name}`);
  return value;
}

/** A client for the tables of a local stack. */
export function openTables(dataFolder: string): DynamoDBDocumentClient {
  const { endpoints } = readOutputs(dataFolder);
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: endpoints.dynamodb,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
}

/** Every item of a table, as JSON text; what is packed within is unpacked, so that whoever searches it finds all there is. */
export async function dumpTable(client: DynamoDBDocumentClient, table: string): Promise<string[]> {
  const items: string[] = [];
  for await (const page of paginateScan({ client }, { TableName: table })) {
    items.push(...(page.Items ?? []).map((item) => JSON.stringify(item, unpacked)));
  }
  return items;
}

/** The log entry of an execution as it is stored, texts too long left packed within; undefined until it is put. */
export async function findEntry(
  { client, dataFolder }: { readonly client: DynamoDBDocumentClient; readonly dataFolder: string },
  executionId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const items = await dumpTable(client, outputOf(dataFolder, 'LogsTable'));
  return items
    .map((item) => JSON.parse(item) as Record<string, unknown>)
    .find((entry) => entry['executionId'] === executionId);
}

function unpacked(_name: string, value: unknown): unknown {
  if (value instanceof Set)
    return [...value].map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one));
  return value instanceof Uint8Array && isGzip(value) ? gunzipSync(value).toString() : value;
}

/** Longer than header and trailer (RFC 1952, section 2.3): of 65,536 salts, which are random and shorter, one begins like it. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes.byteLength > 18 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}
