// Composition root of the command line: every command under its heading of the help text.
import { Command } from 'commander';
import { block, unblock } from './blocks/block.ts';
import { call } from './call/call.ts';
import { casesFromLogs } from './cases/from-logs.ts';
import { command, type Execute, type RegisteredCommand } from './command/command.ts';
import { createCompletion } from './completion.ts';
import { createConsole } from './console/console.ts';
import { cacheClear } from './controls/cache-clear.ts';
import { maintenanceOff, maintenanceOn, maintenanceStatus } from './controls/maintenance.ts';
import { neuronPause, neuronResume } from './controls/neuron-pause.ts';
import { organizationPause, organizationResume } from './controls/organization.ts';
import { doctor } from './doctor/doctor.ts';
import { guards } from './guards/guards.ts';
import { importLitellm } from './import/litellm.ts';
import { importPortkey } from './import/portkey.ts';
import { init } from './init/init.ts';
import { keysAudit } from './keys/audit.ts';
import { keysCreate } from './keys/create.ts';
import { keysImport } from './keys/import.ts';
import { keysList } from './keys/list.ts';
import { keysPause, keysResume } from './keys/pause.ts';
import { keysRevoke } from './keys/revoke.ts';
import { keysRotate } from './keys/rotate.ts';
import { keysUpdate } from './keys/update.ts';
import { alerts } from './limits/alerts.ts';
import { limits } from './limits/limits.ts';
import { logs } from './logs/logs.ts';
import type { Terminal } from './output/terminal.ts';
import { restore } from './restore/restore.ts';
import { secretsList } from './secrets/list.ts';
import { secretsRemove } from './secrets/remove.ts';
import { secretsSet } from './secrets/set.ts';
import { addGlobalOptions } from './session/options.ts';
import { readPackageVersion } from './session/package-version.ts';
import { apply } from './settings/apply.ts';
import { deleteSettings } from './settings/delete.ts';
import { explain } from './settings/explain.ts';
import { list } from './settings/list.ts';
import { revert } from './settings/revert.ts';
import { show } from './settings/show.ts';
import { validate } from './settings/validate.ts';
import { status } from './status/status.ts';
import { test } from './tests/test.ts';
import { estimate } from './usage/estimate.ts';
import { usage } from './usage/usage.ts';
import { users } from './users/users.ts';
import { versionsCompare } from './versions/compare.ts';
import { versionsDeploy, versionsUndeploy } from './versions/deploy.ts';
import { versionsDiff } from './versions/diff.ts';
import { versionsSave } from './versions/drafts/save.ts';
import { versionsTry } from './versions/drafts/try.ts';
import { versionsKey } from './versions/key.ts';
import { versionsList } from './versions/list.ts';
import {
  rolloutAbort,
  rolloutNext,
  rolloutPause,
  rolloutPromote,
  rolloutResume,
} from './versions/rollout.ts';
import { rolloutStart } from './versions/rollout-start.ts';
import { rolloutStatus } from './versions/rollout-status.ts';
import { shadowStart } from './versions/shadow/start.ts';
import { shadowStatus } from './versions/shadow/status.ts';
import { shadowStop } from './versions/shadow/stop.ts';
import { versionsShow } from './versions/show.ts';

const FOOTER = `
The command finds a stack by its CloudFormation outputs, with your AWS credentials. With --local it uses the local run of \`npm start\`.
Exit codes: 0 success, 1 failure, 2 wrong usage.`;

const versionsShadow = command({
  name: 'shadow',
  description: 'Repeats runs with another version, after their answers.',
  commands: [shadowStart, shadowStatus, shadowStop],
});

const versionsRollout = command({
  name: 'rollout',
  description: 'Sends a share of the callers to another version, and more of them by stages.',
  commands: [
    rolloutStart,
    rolloutStatus,
    rolloutNext,
    rolloutPause,
    rolloutResume,
    rolloutPromote,
    rolloutAbort,
  ],
});

const versions = command({
  name: 'versions',
  description: 'Lists, shows, tries, saves, deploys and rolls out versions of a neuron.',
  commands: [
    versionsList,
    versionsShow,
    versionsDiff,
    versionsCompare,
    versionsTry,
    versionsSave,
    versionsDeploy,
    versionsUndeploy,
    versionsKey,
    versionsRollout,
    versionsShadow,
  ],
});

const cases = command({
  name: 'cases',
  description: 'Makes cases of tests.',
  commands: [casesFromLogs],
});

const keys = command({
  name: 'keys',
  description: 'Creates, takes over, lists, changes, rotates, pauses, revokes and audits API keys.',
  commands: [
    keysCreate,
    keysImport,
    keysList,
    keysUpdate,
    keysRotate,
    keysPause,
    keysResume,
    keysRevoke,
    keysAudit,
  ],
});

const importSettings = command({
  name: 'import',
  description: 'Writes settings files from the configuration of another gateway.',
  commands: [importLitellm, importPortkey],
});

const secrets = command({
  name: 'secrets',
  description: 'Sets, lists and removes secrets.',
  commands: [secretsSet, secretsList, secretsRemove],
});

const cache = command({
  name: 'cache',
  description: 'Manages the response cache.',
  commands: [cacheClear],
});

const organization = command({
  name: 'organization',
  description: 'Pauses and resumes an organization.',
  commands: [organizationPause, organizationResume],
});

const maintenance = command({
  name: 'maintenance',
  description: 'Starts, ends and shows maintenance mode of the service.',
  commands: [maintenanceOn, maintenanceStatus, maintenanceOff],
});

const COMMANDS: Readonly<Record<string, readonly RegisteredCommand[]>> = {
  'Settings:': [init, importSettings, validate, test, apply, list, show, revert, deleteSettings, versions],
  'Access:': [keys, block, unblock, explain],
  'Calls:': [status, call, logs, users, cases, guards, limits, usage, estimate, alerts],
  'Service:': [
    secrets,
    cache,
    neuronPause,
    neuronResume,
    organization,
    maintenance,
    restore,
    doctor,
    createConsole(buildProgram),
    createCompletion(buildProgram),
  ],
};

/**
 * Builds the tree of commands. Help goes to standard output, usage errors to standard error. Both end parsing by throwing a
 * `CommanderError`.
 */
export function buildProgram(terminal: Terminal, execute: Execute): Command {
  const program = createProgram(terminal);
  addGlobalOptions(program);
  for (const [heading, commands] of Object.entries(COMMANDS))
    for (const one of commands) one.register(program.commandsGroup(heading), execute);
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
