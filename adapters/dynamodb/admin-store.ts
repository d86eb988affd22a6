// Reads and writes the config table for the command; no function has permission to write it.
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import {
  type AdminStore,
  type ExpectedWrite,
  type NeuronRecord,
  type OrganizationRecord,
  WriteConflict,
} from '../../core/ports/administration.ts';
import type { Item } from './client.ts';
import { unlessRejected } from './conditional-write.ts';
import {
  configKeys,
  maintenanceItem,
  neuronItem,
  organizationItem,
  readClosing,
  readNeuron,
  readOrganization,
  readVersion,
  readVersionSummary,
  versionItem,
} from './config-items.ts';
import { type Condition, deleteNamedNeuron, writeNamedNeuron } from './names/named-neurons.ts';
import { queryItems } from './stored/query-items.ts';

/** Every write is one conditional write of one item, but that of a neuron with names. */
export function createAdminStore(client: DynamoDBDocumentClient, table: string): AdminStore {
  return { ...createReads(client, table), ...createWrites(client, table) };
}

type Reads = 'listOrganizations' | 'listNeurons' | 'listVersions' | `read${string}`;
type AdminReads = Pick<AdminStore, Extract<keyof AdminStore, Reads>>;
type AdminWrites = Omit<AdminStore, keyof AdminReads>;

async function getItem(client: DynamoDBDocumentClient, table: string, key: Item): Promise<Item | undefined> {
  const answer = await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return answer.Item;
}

function createReads(client: DynamoDBDocumentClient, table: string): AdminReads {
  const get = (key: Item) => getItem(client, table, key);
  const list = (organization: string, prefix: string, projection?: Projection) =>
    query(client, table, { organization, prefix, ...projection });

  return {
    async listOrganizations() {
      const items = await scanOrganizations(client, table);
      return items.map((item) => readOrganization(item)).sort((a, b) => (a.slug < b.slug ? -1 : 1));
    },
    async readOrganization(slug) {
      const item = await get(configKeys.organization(slug));
      return item === undefined ? undefined : readOrganization(item);
    },
    async listNeurons({ slug, id }) {
      const neurons = (await list(slug, 'NEURON#')).map((item) => readNeuron(item));
      return neurons.filter(({ organizationId }) => organizationId === id);
    },
    async readNeuron(organization, slug) {
      const item = await get(configKeys.neuron(organization.slug, slug));
      const neuron = item === undefined ? undefined : readNeuron(item);
      return neuron?.organizationId === organization.id ? neuron : undefined;
    },
    async listVersions(organization, neuronId) {
      const items = await list(organization, `VERSION#${neuronId}#`, WITHOUT_FLOW);
      return items.map((item) => readVersionSummary(item)).sort((a, b) => b.number - a.number);
    },
    async readVersion(organization, neuronId, id) {
      const item = await get(configKeys.version(organization, neuronId, id));
      return item === undefined ? undefined : readVersion(item);
    },
    async readMaintenance() {
      const item = await get(configKeys.maintenance);
      return item === undefined ? undefined : readClosing(item);
    },
  };
}

function createWrites(client: DynamoDBDocumentClient, table: string): AdminWrites {
  const put = (what: string, item: Item, condition: Condition) =>
    orConflict(what, client.send(new PutCommand({ TableName: table, Item: item, ...condition })));
  const remove = (what: string, key: Item, condition: Partial<Condition>) =>
    orConflict(what, client.send(new DeleteCommand({ TableName: table, Key: key, ...condition })));

  return {
    async writeOrganization(organization, expected) {
      const written = { ...organization, write: nextWrite(expected) };
      await put(
        `organization ${organization.slug}`,
        organizationItem(written),
        expected === 'absent' ? ABSENT : unchanged(organization, expected),
      );
      return written;
    },
    async writeNeuron(organization, neuron, expected) {
      const written = { ...neuron, write: nextWrite(expected) };
      const condition = expected === 'absent' ? absentOrLeftBehind(neuron) : unchanged(neuron, expected);
      await writeNamedNeuron(client, table, organization, {
        put: { Item: neuronItem(organization, written), ...condition },
        neuron: written,
        before:
          expected === 'absent'
            ? undefined
            : await getItem(client, table, configKeys.neuron(organization, neuron.slug)),
      });
      return written;
    },
    async createVersion(organization, version) {
      await put(
        `version ${version.id} of a neuron of ${organization}`,
        versionItem(organization, version),
        ABSENT,
      );
    },
    async deleteOrganization(organization) {
      const key = configKeys.organization(organization.slug);
      await remove(`organization ${organization.slug}`, key, unchanged(organization, organization.write));
    },
    async deleteNeuron(organization, neuron) {
      await deleteNamedNeuron(client, table, organization, {
        neuron,
        condition: unchanged(neuron, neuron.write),
      });
    },
    async deleteVersion(organization, neuronId, id) {
      await remove(`version ${id}`, configKeys.version(organization, neuronId, id), {});
    },
    async setMaintenance(maintenance) {
      if (maintenance === undefined) await remove('maintenance', configKeys.maintenance, {});
      else await client.send(new PutCommand({ TableName: table, Item: maintenanceItem(maintenance) }));
    },
  };
}

const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Compares the id too: an item that was deleted and made again has the same write numbers. */
function unchanged({ id }: { readonly id: string }, write: number): Condition {
  return {
    ConditionExpression: '#w = :w AND id = :id',
    ExpressionAttributeNames: { '#w': 'write' },
    ExpressionAttributeValues: { ':w': write, ':id': id },
  };
}

/** True also where a deleted organization of the same slug left a neuron behind. */
function absentOrLeftBehind({ organizationId }: NeuronRecord): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(pk) OR organizationId <> :organization',
    ExpressionAttributeValues: { ':organization': organizationId },
  };
}

function nextWrite(expected: ExpectedWrite): OrganizationRecord['write'] {
  return expected === 'absent' ? 1 : expected + 1;
}

async function orConflict(what: string, sent: Promise<unknown>): Promise<void> {
  if (!(await unlessRejected(sent))) throw new WriteConflict(what);
}

interface Projection {
  readonly ProjectionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
}

const WITHOUT_FLOW: Projection = {
  ProjectionExpression: 'id, #number, neuronId, createdAt, author, message, flowDigest',
  ExpressionAttributeNames: { '#number': 'number' },
};

async function query(
  client: DynamoDBDocumentClient,
  table: string,
  { organization, prefix, ...projection }: { organization: string; prefix: string } & Partial<Projection>,
): Promise<readonly Item[]> {
  const found = queryItems(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': configKeys.organization(organization).pk, ':prefix': prefix },
    ...projection,
  });
  const items: Item[] = [];
  for await (const item of found) items.push(item);
  return items;
}

/** A scan: only operators list organizations, and an index would be written with every version. */
async function scanOrganizations(client: DynamoDBDocumentClient, table: string): Promise<readonly Item[]> {
  const pages = paginateScan(
    { client },
    {
      TableName: table,
      ConsistentRead: true,
      FilterExpression: 'sk = :meta',
      ExpressionAttributeValues: { ':meta': 'META' },
    },
  );
  const items: Item[] = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}
