// `neuron versions try`: runs a version or a draft on one input, and prints the answer, its cost and its time.
import { parseVariable } from '../../call/parse-variable.ts';
import { NEURON, parseVersionId } from '../../command/arguments.ts';
import { argument, command, option } from '../../command/command.ts';
import { type ExitCode, usageFailure } from '../../output/failure.ts';
import { renderTarget } from '../../session/target.ts';
import { findStored } from '../../tests/find-neurons.ts';
import { flowOption } from './draft.ts';
import { findDeployed, openDraft } from './open-neuron.ts';
import { printRun } from './print-run.ts';
import { readBody } from './run-body.ts';
import { runVersion } from './run-version.ts';

export const versionsTry = command({
  name: 'try',
  description: 'Runs a version, or a flow that is no version, on one input in this process.',
  arguments: {
    neuron: NEURON,
    id: argument('[version]', 'the version (default: the deployed one)', parseVersionId),
  },
  options: {
    flow: flowOption,
    input: option('--input <text>', 'input of the run'),
    messages: option('--messages <file>', 'conversation of the run, as JSON; - reads standard input'),
    var: option('--var <name=value>', 'value for a variable of the neuron; may be repeated', parseVariable),
  },
  conflicts: [{ option: 'input', with: ['messages'] }],
  help: 'Access, limits, cache and log are left out; models and guards are called and charged by their providers. Secrets come from NEURON_SECRET_NAME, else from the stack.',
  async run({ neuron: target, id, flow, ...options }, session): Promise<ExitCode> {
    if (flow !== undefined && id !== undefined)
      throw usageFailure(`--flow and ${id} were both given.`, 'Pass one of them.');
    if (flow === '-' && options.messages === '-')
      throw usageFailure('Flow and messages cannot both come from standard input.', 'Pass --flow FILE.');
    const body = await readBody(options, session.terminal);
    const version = flow === undefined ? (id ?? (await findDeployed(target, session))) : null;
    const neuron =
      version === null
        ? await openDraft(target, flow ?? '-', session)
        : await findStored(version, session)(renderTarget(target));
    return printRun(await runVersion(neuron, version, body, session), session);
  },
});
