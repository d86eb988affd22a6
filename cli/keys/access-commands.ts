// The commands on access: keys, and why a caller is let in or not.
import type { Command } from 'commander';
import type { Bind } from '../session/session.ts';
import { registerExplain } from '../settings/explain.ts';
import { registerKeys } from './keys.ts';

export function registerAccessCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Access:');
  registerKeys(program, bind);
  registerExplain(program, bind);
}
