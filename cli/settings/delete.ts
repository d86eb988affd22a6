// `neuron delete`: deletes an organization or a neuron with everything that belongs to it, except its log.
import { applyChanges } from '../../core/admin/apply/apply.ts';
import type { Change } from '../../core/admin/apply/changes.ts';
import { parseTarget } from '../command/arguments.ts';
import { argument, command } from '../command/command.ts';
import { count } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import { renderTarget, type Target } from '../session/target.ts';
import { toListedChange } from './change-view.ts';

export const deleteSettings = command({
  name: 'delete',
  arguments: {
    target: argument('<organization[/neuron]>', 'the organization or neuron to delete', parseTarget),
  },
  async run({ target }, { out, connect }) {
    const ports = await connect();
    const change = await planDeletion(target, ports.store);
    const question = `${questionFor(change)} Log entries remain until their retention ends.`;
    await out.confirm(question, { destroys: true });
    for await (const made of applyChanges([change], { ...ports, author: await ports.author() }))
      out.value(toListedChange(made), `Deleted ${renderTarget(target)}. ${settingsTakeEffect(ports.stack)}`);
  },
});

async function planDeletion({ organization, neuron }: Target, store: Ports['store']): Promise<Change> {
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
