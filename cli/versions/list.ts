// `neuron versions list`: lists the versions of a neuron, newest first.
import type { NeuronRecord, VersionSummary } from '../../core/ports/administration.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import { NEURON } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import type { ListedVersion } from '../json/settings.ts';
import type { Column } from '../output/table.ts';
import { requireNeuronOf } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';

const COLUMNS: readonly Column<ListedVersion>[] = [
  { head: 'VERSION', cell: ({ version }) => version },
  { head: 'STATE', cell: renderState },
  { head: 'KEY', cell: ({ previewKey }) => (previewKey ? 'yes' : undefined) },
  { head: 'CREATED', cell: ({ createdAt }) => createdAt },
  { head: 'BY', cell: ({ author }) => author },
  { head: 'MESSAGE', cell: ({ message }) => message ?? undefined },
];

export const versionsList = command({
  name: 'list',
  description: 'Lists the versions of a neuron, newest first.',
  arguments: { neuron: NEURON },
  result: { columns: COLUMNS, none: ({ neuron }) => `${renderTarget(neuron)} has no versions yet.` },
  async run({ neuron }, { connect }) {
    const { store } = await connect();
    const record = await requireNeuronOf(store, neuron);
    const versions = await store.listVersions(neuron.organization, record.id);
    return versions.map((version) => toListedVersion(record, version));
  },
});

function renderState({ deployed, rollout }: ListedVersion): string | undefined {
  if (deployed) return 'deployed';
  return rollout === undefined ? undefined : `rollout ${rollout}`;
}

export function toListedVersion(record: NeuronRecord, version: VersionSummary): ListedVersion {
  const { id, createdAt, author, message } = version;
  return {
    version: id,
    deployed: record.deployment?.version === id,
    ...(record.rollout?.candidate === id ? { rollout: renderShare(record.rollout.basisPoints) } : {}),
    previewKey: Object.hasOwn(record.previewKeys, id),
    createdAt,
    author,
    message: message ?? null,
  };
}
