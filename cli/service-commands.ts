// The commands on the service itself.
import type { Command } from 'commander';
import { registerCache } from './commands/cache-clear.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerMaintenance } from './commands/maintenance.ts';
import { registerOrganization } from './commands/organization.ts';
import { registerSecrets } from './commands/secrets.ts';
import type { Bind } from './session.ts';

export function registerServiceCommands(program: Command, bind: Bind): void {
  program.commandsGroup('Service:');
  registerSecrets(program, bind);
  registerCache(program, bind);
  registerOrganization(program, bind);
  registerMaintenance(program, bind);
  registerDoctor(program, bind);
  registerCompletion(program, bind);
}
