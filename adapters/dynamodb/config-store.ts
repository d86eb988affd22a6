// Reads settings and versions from the config table.
import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationStore, SettingsStore, VersionStore } from '../../core/settings/stored-settings.ts';
import type { Item } from './client.ts';
import { configKeys, readClosing, readNeuron, readOrganization, readVersion } from './config-items.ts';

/** One strongly consistent BatchGetItem for everything about a neuron that is not versioned. */
export function createSettingsStore(client: DynamoDBDocumentClient, table: string): SettingsStore {
  return {
    async read(organization, neuron) {
      const keys = [
        configKeys.organization(organization),
        configKeys.neuron(organization, neuron),
        configKeys.maintenance,
      ];
      const answer = await client.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
      );
      // A partial answer is rejected: a missing item must mean that it does not exist.
      if (Object.keys(answer.UnprocessedKeys ?? {}).length > 0)
        throw new Error('the config table is throttled');
      const items = new Map((answer.Responses?.[table] ?? []).map((item) => [String(item['sk']), item]));
      return {
        organization: optional(items.get('META'), readOrganization),
        neuron: optional(items.get(`NEURON#${neuron}`), readNeuron),
        maintenance: optional(items.get('MAINTENANCE'), readClosing),
      };
    },
  };
}

/** One strongly consistent GetItem. */
export function createOrganizationStore(client: DynamoDBDocumentClient, table: string): OrganizationStore {
  return {
    async read(slug) {
      const Key = configKeys.organization(slug);
      const answer = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return optional(answer.Item, readOrganization);
    },
  };
}

/** Versions never change, so the caller may keep what it has read. */
export function createVersionStore(client: DynamoDBDocumentClient, table: string): VersionStore {
  return {
    async read(organization, neuronId, id) {
      const answer = await client.send(
        new GetCommand({
          TableName: table,
          Key: configKeys.version(organization, neuronId, id),
          ConsistentRead: true,
        }),
      );
      return optional(answer.Item, readVersion);
    },
  };
}

function optional<Read>(item: Item | undefined, read: (item: Item) => Read): Read | undefined {
  return item === undefined ? undefined : read(item);
}
