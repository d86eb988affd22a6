// Reads settings and versions from the config table.
import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type {
  Deployment,
  Maintenance,
  OrganizationPause,
  SettingsStore,
  StoredNeuron,
  StoredOrganization,
  StoredVersion,
  VersionStore,
} from '../../core/settings/stored-settings.ts';

type Item = Record<string, unknown>;

/** Keys of the config table. */
export const configKeys = {
  organization: (slug: string) => ({ pk: `ORG#${slug}`, sk: 'META' }),
  neuron: (organization: string, slug: string) => ({ pk: `ORG#${organization}`, sk: `NEURON#${slug}` }),
  version: (organization: string, neuronId: string, id: string) => ({
    pk: `ORG#${organization}`,
    sk: `VERSION#${neuronId}#${id}`,
  }),
  maintenance: { pk: 'SERVICE', sk: 'MAINTENANCE' },
};

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
      // A part of the answer is no answer: a missing item must mean that it does not exist.
      if (Object.keys(answer.UnprocessedKeys ?? {}).length > 0)
        throw new Error('the config table is throttled');
      const items = new Map((answer.Responses?.[table] ?? []).map((item) => [String(item['sk']), item]));
      return {
        organization: toOrganization(items.get('META')),
        neuron: toNeuron(items.get(`NEURON#${neuron}`)),
        maintenance: toMaintenance(items.get('MAINTENANCE')),
      };
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
      return toVersion(answer.Item);
    },
  };
}

/** An organization's item as the port has it. */
export function toOrganization(item: Item | undefined): StoredOrganization | undefined {
  if (item === undefined) return undefined;
  return {
    id: String(item['id']),
    slug: String(item['slug']),
    document: item['document'],
    pause: item['pause'] as OrganizationPause | undefined,
    write: Number(item['write']),
  };
}

/** A neuron's item as the port has it. */
export function toNeuron(item: Item | undefined): StoredNeuron | undefined {
  if (item === undefined) return undefined;
  return {
    id: String(item['id']),
    organizationId: String(item['organizationId']),
    slug: String(item['slug']),
    document: item['document'],
    deployment: item['deployment'] as Deployment | undefined,
    previewKeys: readPreviewKeys(item['previewKeys']),
    cacheGeneration: Number(item['cacheGeneration'] ?? 0),
    write: Number(item['write']),
  };
}

/** Neurons that were stored before there were preview keys have none. */
export function readPreviewKeys(stored: unknown): StoredNeuron['previewKeys'] {
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : {};
}

/** A version's item as the port has it. */
export function toVersion(item: Item | undefined): StoredVersion | undefined {
  if (item === undefined) return undefined;
  return {
    id: String(item['id']),
    neuronId: String(item['neuronId']),
    createdAt: String(item['createdAt']),
    author: String(item['author']),
    message: item['message'] as string | undefined,
    flow: parseStoredFlow(item['flow']),
  };
}

/** A flow is stored as JSON text. Undefined where the text is none, which nobody can run. */
export function parseStoredFlow(stored: unknown): unknown {
  try {
    return typeof stored === 'string' ? JSON.parse(stored) : undefined;
  } catch {
    return undefined;
  }
}

function toMaintenance(item: Item | undefined): Maintenance | undefined {
  return item === undefined ? undefined : { retryAfterSeconds: Number(item['retryAfterSeconds']) };
}
