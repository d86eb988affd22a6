// Describes writes of settings as changes: what they do, and what differs between before and after.

import type { ChangeAction, ChangeDescription } from '../contract/change-entry.ts';
import type { NeuronRecord, OrganizationRecord } from '../ports/administration.ts';
import type { Block } from '../settings/stored-settings.ts';
import { sameDocument } from '../text/canonical-json.ts';
import { digestOfParts } from '../text/digest.ts';

type View = Readonly<Record<string, unknown>>;

/** A write or, without `after`, the deletion of an organization. */
export function describeOrganization(
  before: OrganizationRecord | undefined,
  after: OrganizationRecord | undefined,
): ChangeDescription {
  const record = after ?? before;
  const views = { before: viewOrganization(before), after: viewOrganization(after) };
  return {
    actions: actionsOf('organization', views, {
      document: () => 'update_organization',
      pause: () => (after?.pause === undefined ? 'resume' : 'pause'),
      blocks: () => nameBlockChange(before, after),
      revertTo: () => 'revert',
    }),
    organization: record?.slug,
    organizationId: record?.id,
    ...differenceOf(views),
  };
}

/** A write or, without `after`, the deletion of a neuron of the organization with this slug. */
export function describeNeuron(
  organization: string,
  before: NeuronRecord | undefined,
  after: NeuronRecord | undefined,
): ChangeDescription {
  const record = after ?? before;
  const views = { before: viewNeuron(before), after: viewNeuron(after) };
  const actions = actionsOf('neuron', views, {
    document: () => 'update_neuron',
    deployment: () => (after?.deployment === undefined ? 'undeploy' : 'deploy'),
    hold: () => (after?.deployment === undefined ? 'undeploy' : 'deploy'),
    previewKeys: () => 'set_preview_key',
    cacheGeneration: () => 'clear_cache',
    pause: () => (after?.pause === undefined ? 'resume' : 'pause'),
    blocks: () => nameBlockChange(before, after),
    rollout: () => 'rollout',
    shadow: () => 'shadow',
    revertTo: () => 'revert',
  });
  return {
    actions,
    organization,
    organizationId: record?.organizationId,
    neuron: record?.slug,
    neuronId: record?.id,
    ...differenceOf(views),
  };
}

interface Views {
  readonly before: View | undefined;
  readonly after: View | undefined;
}

function viewOrganization(record: OrganizationRecord | undefined): View | undefined {
  if (record === undefined) return undefined;
  const { id, document, pause, blocks, revertTo } = record;
  return { id, document, pause, blocks: blocks?.map(viewBlock), revertTo };
}

/** Changes are kept for a year, and a person can be erased before: a username is there as a digest. */
function viewBlock({ kind, value, until }: Block): View {
  return { kind, value: kind === 'user' ? `digest ${digestOfParts([value]).slice(0, 16)}` : value, until };
}

/** A block that is there now and was not, or with another end, is a block; else one was taken away. */
function nameBlockChange(
  before: Pick<OrganizationRecord, 'blocks'> | undefined,
  after: Pick<OrganizationRecord, 'blocks'> | undefined,
): ChangeAction {
  const known = new Set((before?.blocks ?? []).map(nameOfBlock));
  return (after?.blocks ?? []).some((block) => !known.has(nameOfBlock(block))) ? 'block' : 'unblock';
}

function nameOfBlock({ kind, value, until }: Block): string {
  return JSON.stringify([kind, value, until]);
}

function viewNeuron(record: NeuronRecord | undefined): View | undefined {
  if (record === undefined) return undefined;
  const { id, document, deployment, hold, latestVersion, cacheGeneration, previewKeys, pause } = record;
  const { rollout, shadow } = record;
  // The beginning of a digest tells two keys apart and opens nothing.
  const fingerprints = Object.entries(previewKeys).map(
    ([version, digest]) => [version, digest.slice(0, 8)] as const,
  );
  return {
    id,
    document,
    deployment,
    hold,
    latestVersion,
    cacheGeneration,
    pause,
    rollout,
    shadow,
    blocks: record.blocks?.map(viewBlock),
    revertTo: record.revertTo,
    previewKeys: Object.fromEntries(fingerprints),
  };
}

/** A write that changes nothing of note is an update, so that none is without a name. */
function actionsOf(
  kind: 'organization' | 'neuron',
  { before, after }: Views,
  byMember: Readonly<Record<string, () => ChangeAction>>,
): readonly ChangeAction[] {
  if (before === undefined) return after?.['deployment'] ? [`create_${kind}`, 'deploy'] : [`create_${kind}`];
  if (after === undefined) return [`delete_${kind}`];
  const actions = Object.entries(byMember).flatMap(([member, action]) =>
    isSame(before[member], after[member]) ? [] : [action()],
  );
  return actions.length === 0 ? [`update_${kind}`] : [...new Set(actions)];
}

/** Whole where there is only one of the two; else the members that differ. */
function differenceOf({ before, after }: Views): { readonly before: unknown; readonly after: unknown } {
  if (before === undefined || after === undefined) return { before, after };
  const members = Object.keys(after).filter((member) => !isSame(before[member], after[member]));
  const pick = (view: View) => Object.fromEntries(members.map((member) => [member, view[member]]));
  return { before: pick(before), after: pick(after) };
}

function isSame(one: unknown, other: unknown): boolean {
  return sameDocument(one ?? null, other ?? null);
}
