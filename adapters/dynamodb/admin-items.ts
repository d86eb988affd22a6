// The items of the config table as the command writes them; config-store.ts reads what requests need of them.

import type {
  NeuronRecord,
  OrganizationRecord,
  RecordedMaintenance,
  RecordedPause,
  VersionRecord,
  VersionSummary,
  WriteStamp,
} from '../../core/ports/administration.ts';
import { DOCUMENT_FORMAT } from '../../core/settings/organization-schema.ts';
import type { Deployment } from '../../core/settings/stored-settings.ts';
import { configKeys, parseStoredFlow, readPreviewKeys } from './config-store.ts';

/** An item as the document client has it. */
export type Item = Record<string, unknown>;

/** Undefined attributes are left out by the client. */
export function organizationItem(organization: OrganizationRecord): Item {
  return { ...configKeys.organization(organization.slug), format: DOCUMENT_FORMAT, ...organization };
}

export function neuronItem(organization: string, neuron: NeuronRecord): Item {
  return { ...configKeys.neuron(organization, neuron.slug), format: DOCUMENT_FORMAT, ...neuron };
}

export function versionItem(organization: string, version: VersionRecord): Item {
  return {
    ...configKeys.version(organization, version.neuronId, version.id),
    format: DOCUMENT_FORMAT,
    ...version,
    // As text: a map may be 32 levels deep, and a flow of 10 nested branches is deeper
    // (amazondynamodb/latest/developerguide/Constraints.html, "Nested attribute depth").
    flow: JSON.stringify(version.flow),
  };
}

export function maintenanceItem(maintenance: RecordedMaintenance): Item {
  return { ...configKeys.maintenance, ...maintenance };
}

export function readOrganization(item: Item): OrganizationRecord {
  return {
    id: String(item['id']),
    slug: String(item['slug']),
    document: item['document'],
    pause: item['pause'] as RecordedPause | undefined,
    write: Number(item['write']),
    ...readStamp(item),
  };
}

export function readNeuron(item: Item): NeuronRecord {
  return {
    id: String(item['id']),
    organizationId: String(item['organizationId']),
    slug: String(item['slug']),
    document: item['document'],
    latestVersion: item['latestVersion'] as number | undefined,
    deployment: item['deployment'] as Deployment | undefined,
    previewKeys: readPreviewKeys(item['previewKeys']),
    deployments: Number(item['deployments'] ?? 0),
    cacheGeneration: Number(item['cacheGeneration'] ?? 0),
    write: Number(item['write']),
    ...readStamp(item),
  };
}

export function readVersionSummary(item: Item): VersionSummary {
  return {
    id: String(item['id']),
    number: Number(item['number']),
    neuronId: String(item['neuronId']),
    createdAt: String(item['createdAt']),
    author: String(item['author']),
    message: item['message'] as string | undefined,
    flowDigest: String(item['flowDigest']),
  };
}

export function readVersion(item: Item): VersionRecord {
  return { ...readVersionSummary(item), flow: parseStoredFlow(item['flow']) };
}

export function readMaintenance(item: Item): RecordedMaintenance {
  return {
    retryAfterSeconds: Number(item['retryAfterSeconds']),
    since: String(item['since']),
    by: String(item['by']),
  };
}

function readStamp(item: Item): WriteStamp {
  return {
    createdAt: String(item['createdAt']),
    updatedAt: String(item['updatedAt']),
    updatedBy: String(item['updatedBy']),
  };
}
