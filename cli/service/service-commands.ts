// The commands on the service itself.
import type { Command } from 'commander';
import { registerSecrets } from '../keys/secrets.ts';
import type { Bind } from '../session/session.ts';
import { registerCache } from './cache-clear.ts';
import { registerCompletion } from './completion.ts';
import { registerDoctor } from './doctor.ts';
import { registerMaintenance } from './maintenance.ts';
import { registerOrganization } from './organization.ts';

export function registerServiceCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Service:');
  registerSecrets(program, bind);
  registerCache(program, bind);
  registerOrganization(program, bind);
  registerMaintenance(program, bind);
  registerDoctor(program, bind);
  registerCompletion(program, bind);
}
