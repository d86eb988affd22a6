// Composition root of the command line: every command under its heading of the help text.
import { Command } from 'commander';
import type { Execute, RegisteredCommand } from './command/command.ts';
import type { Terminal } from './output/terminal.ts';
import { addGlobalOptions } from './session/options.ts';
import { readPackageVersion } from './session/package-version.ts';

const FOOTER = `
The command finds a stack by its CloudFormation outputs, with your AWS credentials. With --local it uses the local run of \`npm start\`.
Exit codes: 0 success, 1 failure, 2 wrong usage.`;

type Listed = readonly [description: string, load: () => Promise<RegisteredCommand>];

const COMMANDS: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  'Settings:': {
    init: [
      'Writes a commented settings file to start from.',
      async () => (await import('./init/init.ts')).init,
    ],
    import: [
      'Writes settings files from the configuration of another gateway.',
      async () => (await import('./import/import.ts')).importSettings,
    ],
    validate: [
      'Validates settings files offline; --local allows loopback addresses.',
      async () => (await import('./settings/validate.ts')).validate,
    ],
    test: [
      'Tries neurons on the cases of `tests:` documents, with model calls from recordings.',
      async () => (await import('./tests/test.ts')).test,
    ],
    apply: [
      'Applies what is new or changed in settings files.',
      async () => (await import('./settings/apply.ts')).apply,
    ],
    list: [
      'Lists the organizations, the neurons of one, or what asks a provider.',
      async () => (await import('./settings/list.ts')).list,
    ],
    show: [
      'Prints an organization with its neurons, or one neuron, as a settings file.',
      async () => (await import('./settings/show.ts')).show,
    ],
    revert: [
      'Puts the settings of an organization or a neuron back as they were before a change.',
      async () => (await import('./settings/revert.ts')).revert,
    ],
    delete: [
      'Deletes an organization with its neurons, or one neuron.',
      async () => (await import('./settings/delete.ts')).deleteSettings,
    ],
    versions: [
      'Lists, shows, tries, saves, deploys and rolls out versions of a neuron.',
      async () => (await import('./versions/versions.ts')).versions,
    ],
  },
  'Access:': {
    keys: [
      'Creates, takes over, lists, changes, rotates, pauses, revokes and audits API keys.',
      async () => (await import('./keys/keys.ts')).keys,
    ],
    block: [
      'Blocks a user, an address or an API key for a time: its calls are answered 429.',
      async () => (await import('./blocks/block.ts')).block,
    ],
    unblock: [
      'Ends the block of a user, an address or an API key.',
      async () => (await import('./blocks/block.ts')).unblock,
    ],
    explain: [
      'Shows what access control decides for a caller, and why.',
      async () => (await import('./settings/explain.ts')).explain,
    ],
  },
  'Calls:': {
    status: [
      'Shows versions, rollouts, failures, guards, alerts, limits and changes on one screen.',
      async () => (await import('./status/status.ts')).status,
    ],
    call: ['Calls a neuron and prints its output.', async () => (await import('./call/call.ts')).call],
    logs: [
      'Shows the log entries of calls, newest first, with times in UTC.',
      async () => (await import('./logs/logs.ts')).logs,
    ],
    users: [
      'Erases or prints what is kept of a person.',
      async () => (await import('./users/users.ts')).users,
    ],
    cases: ['Makes cases of tests.', async () => (await import('./cases/cases.ts')).cases],
    guards: [
      'Tests guards on texts, and reports what they found.',
      async () => (await import('./guards/guards.ts')).guards,
    ],
    limits: [
      'Shows what is used, held and remaining of every limit, and when it resets.',
      async () => (await import('./limits/limits.ts')).limits,
    ],
    usage: [
      'Shows requests, tokens, cost and savings by neuron, model, username, key and day, with a forecast.',
      async () => (await import('./usage/usage.ts')).usage,
    ],
    estimate: [
      'Estimates what AWS charges in a month for a number of calls, by line.',
      async () => (await import('./usage/estimate.ts')).estimate,
    ],
    alerts: [
      'Lists the shares of usage limits that were reached and alerted, newest first.',
      async () => (await import('./limits/alerts.ts')).alerts,
    ],
  },
  'Service:': {
    secrets: ['Sets, lists and removes secrets.', async () => (await import('./secrets/secrets.ts')).secrets],
    cache: ['Manages the response cache.', async () => (await import('./controls/cache.ts')).cache],
    pause: [
      'Pauses a neuron: every call is answered 429.',
      async () => (await import('./controls/neuron-pause.ts')).neuronPause,
    ],
    resume: ['Resumes a neuron.', async () => (await import('./controls/neuron-pause.ts')).neuronResume],
    organization: [
      'Pauses and resumes an organization.',
      async () => (await import('./controls/organization.ts')).organization,
    ],
    maintenance: [
      'Starts, ends and shows maintenance mode of the service.',
      async () => (await import('./controls/maintenance.ts')).maintenance,
    ],
    restore: [
      'Puts back the lost items of a table from a restored one.',
      async () => (await import('./restore/restore.ts')).restore,
    ],
    doctor: [
      'Checks credentials, stack, tables, secrets, clock and versions.',
      async () => (await import('./doctor/doctor.ts')).doctor,
    ],
    console: [
      'Opens a web page on this machine: usage, log, neurons, keys, limits, playground.',
      async () => (await import('./console/console.ts')).createConsole(loadProgram),
    ],
    completion: [
      'Prints a completion script for a shell.',
      async () => (await import('./completion.ts')).createCompletion(loadProgram),
    ],
  },
};

/**
 * Builds the tree of commands. Help goes to standard output, usage errors to standard error. Both end parsing by throwing a
 * `CommanderError`. With `words`, the command line, only commands that it names are loaded; of the others the tree has the names.
 */
export async function loadProgram(
  terminal: Terminal,
  execute: Execute,
  words?: readonly string[],
): Promise<Command> {
  const program = createProgram(terminal);
  addGlobalOptions(program);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, [description, load]] of Object.entries(commands)) {
      const isNamed = words === undefined || words.includes(name);
      const parser = isNamed ? (await load()).register(program, execute) : program.command(name);
      parser.description(description);
    }
  }
  program.helpCommand('help [command]', 'Shows help for a command.');
  return program;
}

function createProgram(terminal: Terminal): Command {
  return new Command('neuron')
    .description('Administers and calls a Neuron Execution Service.')
    .usage('<command> [options]')
    .version(readPackageVersion(), '--version', 'show the version of this command')
    .helpOption('--help', 'show help for a command')
    .configureHelp({
      optionTerm: (option) => (option.long === '--local' ? '--local[=DIR]' : option.flags),
      commandUsage: (one) => renderUsage(one),
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', FOOTER);
}

function renderUsage(leaf: Command): string {
  const names: string[] = [];
  for (let at: Command | null = leaf; at !== null; at = at.parent) names.unshift(at.name());
  return `${names.join(' ')} ${leaf.usage()}`;
}
