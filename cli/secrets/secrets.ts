// `neuron secrets`: the secrets of an organization.
import { command } from '../command/command.ts';
import { secretsList } from './list.ts';
import { secretsRemove } from './remove.ts';
import { secretsSet } from './set.ts';

export const secrets = command({ name: 'secrets', commands: [secretsSet, secretsList, secretsRemove] });
