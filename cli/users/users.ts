// `neuron users`: what is kept of a person.
import { command } from '../command/command.ts';
import { usersErase } from './erase.ts';
import { usersExport } from './export.ts';

export const users = command({
  name: 'users',
  commands: [usersErase, usersExport],
});
