// `neuron cache clear`: clears the response cache of a neuron.
import { NEURON } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuronOf } from '../session/require-stored.ts';
import { writeNeuron } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';

export const cacheClear = command({
  name: 'clear',
  description: 'Clears the response cache.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, { out, connect }) {
    const ports = await connect();
    const neuron = await requireNeuronOf(ports.store, target);
    const name = renderTarget(target);
    await out.confirm(`Clear the response cache of ${name}?`);
    // The generation is part of every cache key: entries of earlier ones can no longer be read.
    const next = { ...neuron, cacheGeneration: neuron.cacheGeneration + 1 };
    const { cacheGeneration } = await writeNeuron(target.organization, next, ports);
    const text = `Cleared the response cache of ${name}. ${settingsTakeEffect(ports.stack)}`;
    out.value({ neuron: name, cacheGeneration }, text);
  },
});
