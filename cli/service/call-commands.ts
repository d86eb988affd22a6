// The commands on calls: making one, reading what happened, and what limits leave.
import type { Command } from 'commander';
import { registerLimits } from '../limits/limits.ts';
import { registerLogs } from '../logs/logs.ts';
import { registerLogsRestore } from '../logs/restore.ts';
import type { Bind } from '../session/session.ts';
import { registerUsage } from '../usage/usage.ts';
import { registerCall } from './call.ts';

export function registerCallCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Calls:');
  registerCall(program, bind);
  registerLogsRestore(registerLogs(program, bind), bind);
  registerLimits(program, bind);
  registerUsage(program, bind);
}
