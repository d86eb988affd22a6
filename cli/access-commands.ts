// The commands on access: keys, and why a caller is let in or not.
import type { Command } from 'commander';
import { registerExplain } from './commands/explain.ts';
import { registerKeys } from './commands/keys.ts';
import type { Bind } from './session.ts';

export function registerAccessCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Access:');
  registerKeys(program, bind);
  registerExplain(program, bind);
}
