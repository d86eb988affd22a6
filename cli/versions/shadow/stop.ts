// `neuron versions shadow stop`: repeats no more runs.
import { isShadowing, stopShadow } from '../../../core/admin/apply/shadows.ts';
import { NEURON } from '../../command/arguments.ts';
import { command } from '../../command/command.ts';
import { CommandFailure } from '../../output/failure.ts';
import { settingsTakeEffect } from '../../session/propagation-delay.ts';
import { requireNeuronOf } from '../../session/require-stored.ts';
import { writeNeuron } from '../../session/stamped-writes.ts';
import { renderTarget } from '../../session/target.ts';
import { toValue } from './status.ts';

export const shadowStop = command({
  name: 'stop',
  description: 'Repeats no more runs; what was counted stays.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, { out, connect }) {
    const ports = await connect();
    const neuron = await requireNeuronOf(ports.store, target);
    const name = renderTarget(target);
    if (!isShadowing(neuron))
      throw new CommandFailure({
        what: `No version repeats runs of ${name}.`,
        remedy: `Run \`neuron versions shadow start ${name} VERSION\` to begin.`,
      });
    await out.confirm(`Let ${neuron.shadow.version} repeat no more runs of ${name}?`);
    const stopped = stopShadow(neuron);
    await writeNeuron(target.organization, stopped, ports);
    out.value(toValue(name, stopped), `${name}: no run is repeated. ${settingsTakeEffect(ports.stack)}`);
  },
});
