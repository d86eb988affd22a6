// `neuron delete`: deletes an organization or a neuron with everything that belongs to it, except its log.
import type { Command } from 'commander';
import { applyChanges } from '../../core/admin/apply/apply.ts';
import type { Change } from '../../core/admin/apply/changes.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkTarget, renderTarget, type Target, toTarget } from '../session/target.ts';
import { toListedChange } from './change-view.ts';

export function registerDelete(program: Command, bind: Bind): void {
  program
    .command('delete')
    .description('Deletes an organization with its neurons, or one neuron.')
    .argument('<organization[/neuron]>', 'the organization or neuron to delete', checkTarget)
    .action(
      bind(async (session, { args: [text] }) => {
        await deleteSettings({ args: toTarget(text), ports: await session.connect(), out: session.out });
      }),
    );
}

/** Deletes after asking. Log entries remain until their retention ends. */
async function deleteSettings({
  args,
  ports,
  out,
}: {
  readonly args: Target;
  readonly ports: Pick<Ports, 'stack' | 'store' | 'secrets' | 'keys' | 'clock' | 'random' | 'author'>;
  readonly out: Output;
}): Promise<void> {
  const change = await planDeletion(args, ports.store);
  await out.confirm(`${questionFor(change)} Log entries remain until their retention ends.`, {
    destroys: true,
  });
  for await (const made of applyChanges([change], { ...ports, author: await ports.author() })) {
    out.value(toListedChange(made), `Deleted ${renderTarget(args)}. ${settingsTakeEffect(ports.stack)}`);
  }
}

async function planDeletion(args: Target, store: Ports['store']): Promise<Change> {
  const { organization, neuron } = args;
  const record = await requireOrganization(store, organization);
  if (neuron === undefined) {
    return { kind: 'delete_organization', organization, record, neurons: await store.listNeurons(record) };
  }
  const found = await requireNeuron(store, record, neuron);
  return { kind: 'delete_neuron', organization, neuron, record: found };
}

function questionFor(change: Change): string {
  if (change.kind !== 'delete_organization')
    return `Delete neuron ${renderTarget({ neuron: undefined, ...change })} and its versions?`;
  const { organization, neurons } = change;
  const names = neurons.length === 0 ? '' : ` (${neurons.map(({ slug }) => slug).join(', ')})`;
  return `Delete organization ${organization} with its ${count(neurons.length, 'neuron')}${names}, versions, secrets and API keys?`;
}
