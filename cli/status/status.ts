// `neuron status`: version, rollout, failures, guards, alerts, limits and changes of an organization or a neuron on one screen.
import { parseTarget } from '../command/arguments.ts';
import { argument, command } from '../command/command.ts';
import { readStatus } from './read-status.ts';
import { renderStatus } from './status-view.ts';

export const status = command({
  name: 'status',
  arguments: { target: argument('<organization[/neuron]>', 'whose state to show', parseTarget) },
  async run({ target }, { out, connect }) {
    const report = await readStatus(target, await connect());
    out.value(report, renderStatus(report, out));
  },
});
