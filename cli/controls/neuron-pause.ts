// `neuron pause|resume ORG/NEURON`: closes one neuron for a while. A state that only commands set, never a settings file.
import { NEURON, pauseLength, retryAfter } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuronOf } from '../session/require-stored.ts';
import { createAuditStamp, writeNeuron } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';
import { endOf, renderEnd } from './pause-end.ts';

/** Where it is already paused, only the wait changes. */
export const neuronPause = command({
  name: 'pause',
  arguments: { target: NEURON },
  options: { retryAfterMs: retryAfter('1h'), lengthMs: pauseLength() },
  async run({ target, retryAfterMs, lengthMs }, { out, connect }) {
    const ports = await connect();
    const found = await requireNeuronOf(ports.store, target);
    const neuron = renderTarget(target);
    await out.confirm(`Pause ${neuron}? Every call is then answered 429.`);
    const retryAfterSeconds = retryAfterMs / 1000;
    const pause = { retryAfterSeconds, ...(await createAuditStamp(ports)), ...endOf(lengthMs, ports.clock) };
    await writeNeuron(target.organization, { ...found, pause }, ports);
    out.value(
      { neuron, pause },
      `${neuron} is paused${renderEnd(pause)}. ${settingsTakeEffect(ports.stack)} Callers get Retry-After: ${retryAfterSeconds}.`,
    );
  },
});

export const neuronResume = command({
  name: 'resume',
  arguments: { target: NEURON },
  async run({ target }, { out, connect }) {
    const ports = await connect();
    const found = await requireNeuronOf(ports.store, target);
    const neuron = renderTarget(target);
    const value = { neuron, pause: null };
    if (found.pause === undefined) return out.value(value, `${neuron} is not paused.`);
    await out.confirm(`Resume ${neuron}?`);
    await writeNeuron(target.organization, { ...found, pause: undefined }, ports);
    out.value(value, `${neuron} is resumed. ${settingsTakeEffect(ports.stack)}`);
  },
});
