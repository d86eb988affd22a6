// The tree of commands.
import { Command } from 'commander';
import { registerAccessCommands } from './keys/access-commands.ts';
import { registerCallCommands } from './service/call-commands.ts';
import { registerServiceCommands } from './service/service-commands.ts';
import { addGlobalOptions } from './session/options.ts';
import type { Bind } from './session/session.ts';
import type { Terminal } from './session/terminal.ts';
import { readVersion } from './session/version.ts';
import { registerSettingsCommands } from './settings/settings-commands.ts';

const ENDING = `
A stack is found by its CloudFormation outputs with your AWS credentials; --local works on what \`npm start\` runs.
Exit codes: 0 done, 1 failed, 2 used wrongly.`;

/** Builds the tree. Help goes to standard output, mistakes to standard error; both end by a thrown `CommanderError`. */
export function buildProgram(terminal: Terminal, bind: Bind): Command {
  const program = new Command('neuron')
    .description('Administers and calls a Neuron Execution Service.')
    .usage('<command> [options]')
    .version(readVersion(), '--version', 'the version of this command')
    .helpOption('--help', 'what a command does and takes')
    .configureHelp({
      optionTerm: (option) => (option.long === '--local' ? '--local[=DIR]' : option.flags),
      commandUsage: (command) => renderUsage(command),
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', ENDING);
  addGlobalOptions(program);
  registerSettingsCommands(program, bind);
  registerAccessCommands(program, bind);
  registerCallCommands(program, bind);
  registerServiceCommands(program, bind);
  program.helpCommand('help [command]', 'The same as --help.');
  return program;
}

function renderUsage(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return `${names.join(' ')} ${command.usage()}`;
}
