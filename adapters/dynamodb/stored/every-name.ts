// Lets a client read attributes named `__proto__`, which the AWS SDK loses: one such item would hide an attribute from auditors, or end their command.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import { type AttributeValue, toStoredRecord } from '../seals/stored-record.ts';

/** A private-use character, put before the name (and before a name that has it already, so that no two names become one). */
const MARK = '\uE000';
const LOST_NAME = /^\uE000*__proto__$/u;
const MARKED_NAME = /^\uE000+__proto__$/u;

/** An item as such a client gives it, as plain JSON. */
export function readRecord(item: Readonly<Record<string, AttributeValue>>): StoredRecord {
  return toStoredRecord(item, storedName);
}

/** The attribute's name in the table. */
function storedName(name: string): string {
  return MARKED_NAME.test(name) ? name.slice(MARK.length) : name;
}

/** Adds the mark to those names in every answer, before the SDK parses it. */
export function keepEveryName<Client extends Pick<DynamoDBDocumentClient, 'middlewareStack'>>(
  client: Client,
): Client {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body: unknown };
      response.body = markNames(await collect(response.body as AsyncIterable<Uint8Array>));
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'keepEveryName' },
  );
  return client;
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function markNames(body: Buffer): Uint8Array {
  if (!body.includes('__proto__')) return body;
  return Buffer.from(JSON.stringify(rename(JSON.parse(body.toString()))));
}

function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      LOST_NAME.test(name) ? `${MARK}${name}` : name,
      rename(member),
    ]),
  );
}
