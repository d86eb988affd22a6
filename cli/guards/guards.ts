// `neuron guards`: tests guards on texts, and reports what they found.
import { command } from '../command/command.ts';
import { guardsReport } from './report.ts';
import { guardsTest } from './test.ts';

export const guards = command({
  name: 'guards',
  commands: [guardsTest, guardsReport],
});
