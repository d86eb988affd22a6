// The commands on settings files and on what is stored from them.
import type { Command } from 'commander';
import { registerApply } from './commands/apply.ts';
import { registerDelete } from './commands/delete.ts';
import { registerInit } from './commands/init.ts';
import { registerList } from './commands/list.ts';
import { registerShow } from './commands/show.ts';
import { registerValidate } from './commands/validate.ts';
import { registerVersions } from './commands/versions.ts';
import type { Bind } from './session.ts';

export function registerSettingsCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Settings:');
  registerInit(program, bind);
  registerValidate(program, bind);
  registerApply(program, bind);
  registerList(program, bind);
  registerShow(program, bind);
  registerDelete(program, bind);
  registerVersions(program, bind);
}
