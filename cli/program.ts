// Composition root of the command line: registers every command under its group.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { registerCall } from './call/call.ts';
import { registerCompletion } from './completion.ts';
import { registerConsole } from './console/console.ts';
import { registerCache } from './controls/cache-clear.ts';
import { registerMaintenance } from './controls/maintenance.ts';
import { registerOrganization } from './controls/organization.ts';
import { registerDoctor } from './doctor/doctor.ts';
import { registerKeysAudit } from './keys/audit.ts';
import { registerKeysCreate } from './keys/create.ts';
import { registerKeysLimit } from './keys/limit.ts';
import { registerKeysList } from './keys/list.ts';
import { registerKeysRevoke } from './keys/revoke.ts';
import { registerAlerts } from './limits/alerts.ts';
import { registerLimits } from './limits/limits.ts';
import { registerLogsExport } from './logs/export/export.ts';
import { registerLogs } from './logs/logs.ts';
import { registerLogsRestore } from './logs/restore/restore.ts';
import { registerLogsHead } from './logs/seals/head.ts';
import { registerLogsVerify } from './logs/seals/verify.ts';
import type { Terminal } from './output/terminal.ts';
import { registerSecrets } from './secrets/secrets.ts';
import { addGlobalOptions } from './session/options.ts';
import type { Bind } from './session/session.ts';
import { registerApply } from './settings/apply.ts';
import { registerDelete } from './settings/delete.ts';
import { registerExplain } from './settings/explain.ts';
import { registerInit } from './settings/init.ts';
import { registerList } from './settings/list.ts';
import { registerShow } from './settings/show.ts';
import { registerValidate } from './settings/validate.ts';
import { registerUsage } from './usage/usage.ts';
import { registerVersionsDeploy } from './versions/deploy.ts';
import { registerVersionsKey } from './versions/key.ts';
import { registerVersionsList } from './versions/list.ts';
import { registerVersionsShow } from './versions/show.ts';

const FOOTER = `
The command finds a stack by its CloudFormation outputs, with your AWS credentials. With --local it uses the local run of \`npm start\`.
Exit codes: 0 success, 1 failure, 2 wrong usage.`;

/**
 * Builds the tree of commands. Help goes to standard output, usage errors to standard error. Both end parsing by throwing a
 * `CommanderError`.
 */
export function buildProgram(terminal: Terminal, bind: Bind): Command {
  const program = createProgram(terminal);
  addGlobalOptions(program);
  registerSettingsGroup(program.commandsGroup('Settings:'), bind);
  registerAccessGroup(program.commandsGroup('Access:'), bind);
  registerCallsGroup(program.commandsGroup('Calls:'), bind);
  registerServiceGroup(program.commandsGroup('Service:'), bind);
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
      commandUsage: (command) => renderUsage(command),
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

function registerSettingsGroup(program: Command, bind: Bind): void {
  registerInit(program, bind);
  registerValidate(program, bind);
  registerApply(program, bind);
  registerList(program, bind);
  registerShow(program, bind);
  registerDelete(program, bind);
  const versions = program.command('versions').description('Lists, shows and deploys versions of a neuron.');
  registerVersionsList(versions, bind);
  registerVersionsShow(versions, bind);
  registerVersionsDeploy(versions, bind);
  registerVersionsKey(versions, bind);
}

function registerAccessGroup(program: Command, bind: Bind): void {
  const keys = program.command('keys').description('Creates, lists, limits, revokes and audits API keys.');
  registerKeysCreate(keys, bind);
  registerKeysList(keys, bind);
  registerKeysLimit(keys, bind);
  registerKeysRevoke(keys, bind);
  registerKeysAudit(keys, bind);
  registerExplain(program, bind);
}

function registerCallsGroup(program: Command, bind: Bind): void {
  registerCall(program, bind);
  const logs = registerLogs(program, bind);
  registerLogsExport(logs, bind);
  registerLogsVerify(logs, bind);
  registerLogsHead(logs, bind);
  registerLogsRestore(logs, bind);
  registerLimits(program, bind);
  registerUsage(program, bind);
  registerAlerts(program, bind);
}

function registerServiceGroup(program: Command, bind: Bind): void {
  registerSecrets(program, bind);
  registerCache(program, bind);
  registerOrganization(program, bind);
  registerMaintenance(program, bind);
  registerDoctor(program, bind);
  registerConsole(program, bind, buildProgram);
  registerCompletion(program, bind);
}

function renderUsage(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return `${names.join(' ')} ${command.usage()}`;
}

/** From package.json: one folder up in the clone, two folders up in the built package. */
function readPackageVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        version: string;
      };
      return version;
    } catch {
      // Not in this place.
    }
  }
  return 'unknown';
}
