// The commands on calls: making one and reading what happened.
import type { Command } from 'commander';
import { registerCall } from './commands/call.ts';
import { registerLogs } from './commands/logs.ts';
import { registerLogsRestore } from './commands/logs-restore.ts';
import { registerUsage } from './commands/usage.ts';
import type { Bind } from './session.ts';

export function registerCallCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Calls:');
  registerCall(program, bind);
  registerLogsRestore(registerLogs(program, bind), bind);
  registerUsage(program, bind);
}
