// The items of the config table: their keys, and one reader for each, for requests and for the command.

import type {
  NeuronRecord,
  OrganizationRecord,
  RecordedMaintenance,
  RecordedPause,
  RecordedRollout,
  RecordedShadow,
  RolloutStop,
  VersionHold,
  VersionRecord,
  VersionSummary,
  WriteStamp,
} from '../../core/ports/administration.ts';
import { DOCUMENT_FORMAT } from '../../core/settings/organization-schema.ts';
import { ROLLOUT_SUBJECTS, type RolloutStage } from '../../core/settings/rollout-schema.ts';
import type {
  Block,
  Deployment,
  StoredModelName,
  StoredNeuron,
} from '../../core/settings/stored-settings.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Item } from './client.ts';

export const configKeys = {
  organization: (slug: string) => ({ pk: `ORG#${slug}`, sk: 'META' }),
  neuron: (organization: string, slug: string) => ({ pk: `ORG#${organization}`, sk: `NEURON#${slug}` }),
  modelName: (organization: string, name: string) => ({ pk: `ORG#${organization}`, sk: `MODEL#${name}` }),
  version: (organization: string, neuronId: string, id: string) => ({
    pk: `ORG#${organization}`,
    sk: `VERSION#${neuronId}#${id}`,
  }),
  maintenance: { pk: 'SERVICE', sk: 'MAINTENANCE' },
};

/** The client leaves out undefined attributes. */
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
    // As text too: the order of a map is kept, and its numbers are what they are.
    ...(version.variables === undefined ? {} : { variables: JSON.stringify(version.variables) }),
  };
}

export function maintenanceItem(maintenance: RecordedMaintenance): Item {
  return { ...configKeys.maintenance, ...maintenance };
}

export function modelNameItem(organization: string, { name, ...owner }: StoredModelName): Item {
  return { ...configKeys.modelName(organization, name), format: DOCUMENT_FORMAT, ...owner };
}

/** The name is in the key. */
export function readModelName(item: Item): StoredModelName {
  return {
    name: String(item['sk']).slice('MODEL#'.length),
    neuron: String(item['neuron']),
    neuronId: String(item['neuronId']),
    organizationId: String(item['organizationId']),
  };
}

/** Readers never throw: the document and the flow are validated where they are used. */
export function readOrganization(item: Item): OrganizationRecord {
  return {
    id: String(item['id']),
    slug: String(item['slug']),
    document: item['document'],
    pause: isItem(item['pause']) ? readPause(item['pause']) : undefined,
    ...readBlocks(item['blocks']),
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
    latestVersion: item['latestVersion'] === undefined ? undefined : Number(item['latestVersion']),
    deployment: isItem(item['deployment']) ? readDeployment(item['deployment']) : undefined,
    previewKeys: readPreviewKeys(item['previewKeys']),
    deployments: Number(item['deployments'] ?? 0),
    cacheGeneration: Number(item['cacheGeneration'] ?? 0),
    ...(isItem(item['hold']) ? { hold: readHold(item['hold']) } : {}),
    ...(isItem(item['rollout']) ? { rollout: readRollout(item['rollout']) } : {}),
    ...(isItem(item['shadow']) ? { shadow: readShadow(item['shadow']) } : {}),
    ...(isItem(item['pause']) ? { pause: readPause(item['pause']) } : {}),
    ...readBlocks(item['blocks']),
    write: Number(item['write']),
    ...readStamp(item),
  };
}

/** Takes also an item that was read without its flow. */
export function readVersionSummary(item: Item): VersionSummary {
  return {
    id: String(item['id']),
    number: Number(item['number']),
    neuronId: String(item['neuronId']),
    createdAt: String(item['createdAt']),
    author: String(item['author']),
    message: item['message'] === undefined ? undefined : String(item['message']),
    flowDigest: String(item['flowDigest']),
  };
}

export function readVersion(item: Item): VersionRecord {
  const variables = item['variables'];
  return {
    ...readVersionSummary(item),
    flow: readFlow(item['flow']),
    ...(variables === undefined ? {} : { variables: readFlow(variables) }),
  };
}

/** A maintenance item, or the pause in the item of an organization or a neuron, which has the same attributes. */
export function readClosing(item: Item): RecordedMaintenance & RecordedPause {
  return {
    retryAfterSeconds: Number(item['retryAfterSeconds']),
    since: String(item['since']),
    by: String(item['by']),
  };
}

/** The pause of an organization or a neuron, which may have an end. */
function readPause(item: Item): RecordedPause {
  const { until } = item;
  return { ...readClosing(item), ...(until === undefined ? {} : { until: String(until) }) };
}

function readBlocks(stored: unknown): { readonly blocks?: readonly Block[] } {
  if (!Array.isArray(stored)) return {};
  const blocks = stored.flatMap((block): Block[] => {
    const { kind, value, until, since, by } = isItem(block) ? block : {};
    if (kind !== 'user' && kind !== 'ip' && kind !== 'key') return [];
    return [{ kind, value: String(value), until: String(until), since: String(since), by: String(by) }];
  });
  return { blocks };
}

function readDeployment(item: Item): Deployment {
  return { version: String(item['version']), number: Number(item['number']) };
}

function readHold(item: Item): VersionHold {
  return { reason: String(item['reason']), since: String(item['since']), by: String(item['by']) };
}

/** Nobody is sent to the candidate of a rollout that cannot be read. */
export function readRollout(item: Item): RecordedRollout {
  const { basisPoints, by, stages, paused, guards, guardedSince, stop } = item;
  return {
    id: String(item['id']),
    candidate: String(item['candidate']),
    basisPoints: Number(basisPoints) || 0,
    by: ROLLOUT_SUBJECTS.find((subject) => subject === by) ?? 'user',
    stages: Array.isArray(stages) ? stages.map(readStage) : [],
    stage: Number(item['stage']) || 0,
    stageSince: String(item['stageSince']),
    ...(Array.isArray(guards) ? { guards: guards.map(String) } : {}),
    ...(guardedSince === undefined ? {} : { guardedSince: String(guardedSince) }),
    ...(isItem(stop) ? { stop: readStop(stop) } : {}),
    ...(paused === undefined ? {} : { paused: String(paused) }),
    since: String(item['since']),
    startedBy: String(item['startedBy']),
  };
}

/** Nothing is repeated by a shadow that cannot be read. */
function readShadow(item: Item): RecordedShadow {
  return {
    id: String(item['id']),
    version: String(item['version']),
    basisPoints: Number(item['basisPoints']) || 0,
    budgetMicrodollars: Number(item['budgetMicrodollars']) || 0,
    until: String(item['until']),
    since: String(item['since']),
    startedBy: String(item['startedBy']),
  };
}

function readStop({ at, guard, evidence, counts, isTold }: Item): RolloutStop {
  const { control, candidate } = isItem(counts) ? counts : {};
  return {
    at: String(at),
    guard: String(guard),
    evidence: Number(evidence) || 0,
    counts: { control: readCounts(control), candidate: readCounts(candidate) },
    isTold: isTold === true,
  };
}

function readCounts(counts: unknown): RolloutStop['counts']['control'] {
  const { count, bad } = isItem(counts) ? counts : {};
  return { count: Number(count) || 0, bad: Number(bad) || 0 };
}

function readStage(stage: unknown): RolloutStage {
  const { share, for: atLeastMs, runs } = isItem(stage) ? stage : {};
  return { share: Number(share) || 0, for: Number(atLeastMs) || 0, runs: Number(runs) || 0 };
}

/** Neurons that were stored before there were preview keys have none. */
function readPreviewKeys(stored: unknown): StoredNeuron['previewKeys'] {
  if (!isItem(stored)) return {};
  return Object.fromEntries(Object.entries(stored).map(([version, digest]) => [version, String(digest)]));
}

/** Undefined, which no run accepts, where the stored text is not JSON. */
function readFlow(stored: unknown): unknown {
  return typeof stored === 'string' ? parseJson(stored) : undefined;
}

function readStamp(item: Item): WriteStamp {
  return {
    createdAt: String(item['createdAt']),
    updatedAt: String(item['updatedAt']),
    updatedBy: String(item['updatedBy']),
  };
}

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
