// `neuron versions list`: the versions of a neuron, newest first.
import type { Command } from 'commander';
import type { NeuronRecord, VersionSummary } from '../../core/ports/administration.ts';
import type { ListedVersion } from '../json/settings.ts';
import type { Output } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuronOf } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkNeuron, type NeuronTarget, toNeuronTarget } from '../session/target.ts';

const COLUMNS: readonly Column<ListedVersion>[] = [
  { head: 'VERSION', cell: ({ version }) => version },
  { head: 'STATE', cell: ({ deployed }) => (deployed ? 'deployed' : undefined) },
  { head: 'KEY', cell: ({ previewKey }) => (previewKey ? 'yes' : undefined) },
  { head: 'CREATED', cell: ({ createdAt }) => createdAt },
  { head: 'BY', cell: ({ author }) => author },
  { head: 'MESSAGE', cell: ({ message }) => message ?? undefined },
];

export function registerVersionsList(versions: Command, bind: Bind): void {
  versions
    .command('list')
    .description('Lists the versions of a neuron, newest first.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .action(
      bind(async (session, { args: [text] }) => {
        await listVersions({ args: toNeuronTarget(text), ports: await session.connect(), out: session.out });
      }),
    );
}

/** Lists them without their flows. */
async function listVersions({
  args: { organization, neuron },
  ports: { store },
  out,
}: {
  readonly args: NeuronTarget;
  readonly ports: Pick<Ports, 'store'>;
  readonly out: Output;
}): Promise<void> {
  const record = await requireNeuronOf(store, { organization, neuron });
  const versions = await store.listVersions(organization, record.id);
  out.list(
    versions.map((version) => toListedVersion(record, version)),
    COLUMNS,
    `${organization}/${neuron} has no versions yet.`,
  );
}

/** A version as lists and details show it. */
export function toListedVersion(record: NeuronRecord, version: VersionSummary): ListedVersion {
  const { id, createdAt, author, message } = version;
  return {
    version: id,
    deployed: record.deployment?.version === id,
    previewKey: Object.hasOwn(record.previewKeys, id),
    createdAt,
    author,
    message: message ?? null,
  };
}
