// The commands on settings files and on what is stored from them.
import type { Command } from 'commander';
import type { Bind } from '../session/session.ts';
import { registerVersions } from '../versions/versions.ts';
import { registerApply } from './apply.ts';
import { registerDelete } from './delete.ts';
import { registerInit } from './init.ts';
import { registerList } from './list.ts';
import { registerShow } from './show.ts';
import { registerValidate } from './validate.ts';

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
