// `neuron import`: settings files from the configuration of another gateway.
import { command } from '../command/command.ts';
import { importLitellm } from './litellm.ts';
import { importPortkey } from './portkey.ts';

export const importSettings = command({ name: 'import', commands: [importLitellm, importPortkey] });
