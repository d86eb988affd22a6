// The commands on calls: making one, reading what happened, and what limits leave.
import type { Command } from 'commander';
import { registerCall } from './commands/call.ts';
import { registerLimits } from './commands/limits.ts';
import { registerLogs } from './commands/logs.ts';
import { registerLogsRestore } from './commands/logs-restore.ts';
import { registerUsage } from './commands/usage.ts';
import type { Bind } from './session.ts';

export function registerCallCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Calls:');
  registerCall(program, bind);
  registerLogsRestore(registerLogs(program, bind), bind);
  registerLimits(program, bind);
  registerUsage(program, bind);
}
