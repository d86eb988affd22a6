// `neuron versions shadow`: another version, which repeats runs.
import { command } from '../../command/command.ts';
import { shadowStart } from './start.ts';
import { shadowStatus } from './status.ts';
import { shadowStop } from './stop.ts';

export const versionsShadow = command({
  name: 'shadow',
  description: 'Repeats runs with another version, after their answers.',
  commands: [shadowStart, shadowStatus, shadowStop],
});
