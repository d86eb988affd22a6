// `neuron block list`: the blocks of an organization and of its neurons that have not ended.
import type { Block } from '../../core/settings/stored-settings.ts';
import { parseTarget } from '../command/arguments.ts';
import { argument, command } from '../command/command.ts';
import type { ListedBlock } from '../json/settings.ts';
import { renderName } from '../output/caller.ts';
import type { Column } from '../output/table.ts';
import { requireNeurons } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';
import { currentBlocks, requireOwner } from './stored-blocks.ts';

const COLUMNS: readonly Column<ListedBlock>[] = [
  { head: 'OF', cell: ({ target }) => target },
  { head: 'KIND', cell: ({ kind }) => kind },
  { head: 'CALLER', cell: ({ value }) => renderName(value), flexible: true },
  { head: 'UNTIL (UTC)', cell: ({ until }) => until.slice(0, 19).replace('T', ' ') },
  { head: 'SINCE', cell: ({ since }) => since.slice(0, 19).replace('T', ' '), drop: 2 },
  { head: 'BY', cell: ({ by }) => by, drop: 1 },
];

export const blockList = command({
  name: 'list',
  description: 'Lists the blocks of an organization and its neurons, or of one neuron, that have not ended.',
  arguments: { target: argument('<organization[/neuron]>', 'whose blocks to list', parseTarget) },
  result: { columns: COLUMNS, none: ({ target }) => `${renderTarget(target)} has no blocks.` },
  async run({ target }, { connect }) {
    const { store, clock } = await connect();
    const owner = await requireOwner(target, { store });
    const { organization } = owner;
    const neurons = await requireNeurons(store, organization, target);
    const nowMs = clock.now();
    const toListed = (of: string, blocks: readonly Block[]): ListedBlock[] =>
      blocks.map((block) => ({ target: of, ...block }));
    return [
      ...(target.neuron === undefined
        ? toListed(organization.slug, currentBlocks({ organization, neuron: undefined }, nowMs))
        : []),
      ...neurons.flatMap((neuron) =>
        toListed(`${organization.slug}/${neuron.slug}`, currentBlocks({ organization, neuron }, nowMs)),
      ),
    ];
  },
});
