// `neuron versions save`: makes a version of a draft, which is not deployed.
import { planChanges } from '../../../core/admin/apply/plan.ts';
import { readNeuronState } from '../../../core/admin/apply/read-stored.ts';
import { NEURON } from '../../command/arguments.ts';
import { command, option, parseLine } from '../../command/command.ts';
import { usageFailure } from '../../output/failure.ts';
import { renderTarget } from '../../session/target.ts';
import { makeChanges } from '../../settings/make-changes.ts';
import { reportNewFlows } from '../../settings/report-plan.ts';
import { warnOfMissingSecrets } from '../../settings/validate-for-stack.ts';
import { flowOption, readDraft } from './draft.ts';

export const versionsSave = command({
  name: 'save',
  description: 'Makes a version of a flow, without deploying it.',
  arguments: { neuron: NEURON },
  options: {
    flow: flowOption,
    message: option('--message <text>', 'reason for the version in one line, stored with it', parseLine),
  },
  help: 'The settings of the neuron stay as they are. The settings files do too: the next apply of another flow makes and deploys a version of its own.',
  async run({ neuron: target, flow, message }, session) {
    if (flow === undefined)
      throw usageFailure('There is no flow.', 'Pass --flow FILE, or --flow - to read it.');
    if (message === undefined) throw usageFailure('There is no message.', 'Pass --message TEXT.');
    const { organization, neuron, input } = await readDraft(target, flow, session);
    const ports = await session.connect();
    const { out } = session;
    const state = await readNeuronState(ports.store, organization, neuron);
    const settings = { organizations: [], neurons: [input] };
    const stored = [{ record: organization, neurons: [state] }];
    const { changes } = planChanges(settings, stored, { deploy: 'never', prune: false });
    const name = renderTarget(target);
    if (changes.length === 0)
      return out.message(`The newest version of ${name}, ${state.newest?.id}, has this flow already.`);
    await warnOfMissingSecrets(settings, stored, ports, out);
    const args = { mode: 'make', prune: false, message } as const;
    reportNewFlows(changes, { input: settings, stored }, { args, ports, out });
    await makeChanges(changes, { ports, out, message });
    const id = changes.flatMap((change) => ('version' in change ? (change.version?.number ?? []) : []))[0];
    out.message(`v${id} is not deployed: \`neuron versions deploy ${name} v${id}\` deploys it.`);
  },
});
