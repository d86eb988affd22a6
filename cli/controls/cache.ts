// `neuron cache`: the response cache.
import { command } from '../command/command.ts';
import { cacheClear } from './cache-clear.ts';

export const cache = command({ name: 'cache', commands: [cacheClear] });
