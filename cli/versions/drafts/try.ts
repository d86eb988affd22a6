// `neuron versions try`: runs a version or a draft on one input or on cases, and prints the answers, their cost and their time.
import { parseVariable } from '../../call/parse-variable.ts';
import { NEURON, parseMaximum, parseVersionId } from '../../command/arguments.ts';
import { argument, command, option } from '../../command/command.ts';
import { type ExitCode, usageFailure } from '../../output/failure.ts';
import { parseDollars } from '../../tests/parse-dollars.ts';
import { flowOption } from './draft.ts';
import { openTried } from './open-neuron.ts';
import { printRun } from './print-run.ts';
import { readBody } from './run-body.ts';
import { runVersion } from './run-version.ts';
import { tryCases } from './try-cases.ts';

export const versionsTry = command({
  name: 'try',
  description: 'Runs a version, or a flow that is no version, on one input or on cases in this process.',
  arguments: {
    neuron: NEURON,
    id: argument('[version]', 'the version (default: the deployed one)', parseVersionId),
  },
  options: {
    flow: flowOption,
    input: option('--input <text>', 'input of the run'),
    messages: option('--messages <file>', 'conversation of the run, as JSON; - reads standard input'),
    var: option('--var <name=value>', 'value for a variable of the neuron; may be repeated', parseVariable),
    cases: option(
      '--cases <file>',
      'in place of an input: run the cases of this tests file, on the deployed version too; - reads standard input',
    ),
    limit: option('--limit <number>', 'cases to run (default: 10)', parseMaximum(100)),
    maxCost: option(
      '--max-cost <dollars>',
      'make no call of the cases that could cost more in all',
      parseDollars,
    ),
  },
  conflicts: [
    { option: 'input', with: ['messages'] },
    { option: 'cases', with: ['input', 'messages', 'var'] },
  ],
  help: 'Access, limits, cache and log are left out; models and guards are called and charged by their providers. Secrets come from NEURON_SECRET_NAME, else from the stack.',
  async run({ neuron: target, id, flow, cases, limit, maxCost, ...options }, session): Promise<ExitCode> {
    if (flow !== undefined && id !== undefined)
      throw usageFailure(`--flow and ${id} were both given.`, 'Pass one of them.');
    if (cases !== undefined) return tryCases(target, { id, flow, cases, limit, maxCost }, session);
    if (limit !== undefined || maxCost !== undefined)
      throw usageFailure('--limit and --max-cost are options of --cases.', 'Omit them, or pass --cases.');
    if (flow === '-' && options.messages === '-')
      throw usageFailure('Flow and messages cannot both come from standard input.', 'Pass --flow FILE.');
    const body = await readBody(options, session.terminal);
    const { version, neuron } = await openTried(target, { id, flow }, session);
    return printRun(await runVersion(neuron, version, body, session), session);
  },
});
