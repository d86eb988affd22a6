// `neuron keys`: the API keys of an organization.
import type { Command } from 'commander';
import type { Bind } from '../session/session.ts';
import { registerKeysCreate } from './create.ts';
import { registerKeysList } from './list.ts';
import { registerKeysRevoke } from './revoke.ts';

export function registerKeys(program: Command, bind: Bind): void {
  const keys = program
    .command('keys')
    .description('Creates, lists and revokes API keys; a key is shown once.');
  registerKeysCreate(keys, bind);
  registerKeysList(keys, bind);
  registerKeysRevoke(keys, bind);
}
