// `neuron cases`: cases of tests.
import { command } from '../command/command.ts';
import { casesFromLogs } from './from-logs.ts';

export const cases = command({ name: 'cases', commands: [casesFromLogs] });
