// Reads the names of neurons, and lists neurons, from the config table, for calls of an organization's URL.
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ModelNameStore, NeuronListStore } from '../../../core/settings/stored-settings.ts';
import type { Item } from '../client.ts';
import { configKeys, readClosing, readModelName, readNeuron, readOrganization } from '../config-items.ts';
import { queryItems } from '../stored/query-items.ts';

/** Both reads are strongly consistent. */
export function createModelNameStore(
  client: DynamoDBDocumentClient,
  table: string,
): ModelNameStore & NeuronListStore {
  return {
    async find(organization, names) {
      const keys = names.map((name) => configKeys.modelName(organization, name));
      const found = (await getAll(client, table, keys)).map(readModelName);
      return names.flatMap((name) => found.find((one) => one.name === name) ?? []);
    },
    async list(organization) {
      const keys = [configKeys.organization(organization), configKeys.maintenance];
      const [single, neurons] = await Promise.all([
        getAll(client, table, keys),
        listNeurons(client, table, organization),
      ]);
      const meta = single.find(({ sk }) => sk === 'META');
      const maintenance = single.find(({ sk }) => sk === 'MAINTENANCE');
      return {
        organization: meta && readOrganization(meta),
        maintenance: maintenance && readClosing(maintenance),
        neurons: neurons.map(readNeuron),
      };
    },
  };
}

async function getAll(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Item[],
): Promise<readonly Item[]> {
  const answer = await client.send(
    new BatchGetCommand({ RequestItems: { [table]: { Keys: [...keys], ConsistentRead: true } } }),
  );
  // A partial answer is rejected: a missing item must mean that it does not exist.
  if (Object.keys(answer.UnprocessedKeys ?? {}).length > 0) throw new Error('the config table is throttled');
  return answer.Responses?.[table] ?? [];
}

async function listNeurons(
  client: DynamoDBDocumentClient,
  table: string,
  organization: string,
): Promise<readonly Item[]> {
  const { pk, sk: prefix } = configKeys.neuron(organization, '');
  const items: Item[] = [];
  const pages = queryItems(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });
  for await (const item of pages) items.push(item);
  return items;
}
