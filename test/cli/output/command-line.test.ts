// Commands in remedies can be typed as printed, in the same folder.
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { keepTarget, renderCommand } from '../../../cli/output/command-line.ts';

it('names no folder for a deployed stack, nor for the usual one of a local run', () => {
  expect(renderCommand('logs acme', undefined)).toBe('neuron logs acme');
  expect(renderCommand('logs acme', '.local')).toBe('neuron --local logs acme');
  expect(renderCommand('logs acme', resolve('.local'))).toBe('neuron --local logs acme');
});

it('names a folder relative to the working directory, and one outside it by its absolute path', () => {
  expect(renderCommand('logs acme', join('runs', '..two'))).toBe('neuron --local=runs/..two logs acme');
  expect(renderCommand('logs acme', '..two')).toBe('neuron --local=..two logs acme');
  expect(renderCommand('logs acme', '.')).toBe('neuron --local=. logs acme');
  const elsewhere = join(tmpdir(), 'run');
  expect(renderCommand('logs acme', elsewhere)).toBe(`neuron --local=${elsewhere} logs acme`);
});

it('adds to commands in a text what leads to the same stack', () => {
  const text = 'Run `neuron list acme` or `neuron --local=x list`, then `neuron validate a` and `npm start`.';
  expect(keepTarget(text, {})).toBe(text);
  expect(keepTarget(text, { local: '.local' })).toBe(
    'Run `neuron --local list acme` or `neuron --local=x list`, then `neuron validate a` and `npm start`.',
  );
  expect(keepTarget('`neuron list`', { local: "my run's" })).toBe("`neuron --local='my run'\\''s' list`");
  expect(keepTarget('`neuron list`', { stack: 'NeuronApi-b', region: 'us-east-1', profile: 'ops' })).toBe(
    '`neuron --stack NeuronApi-b --region us-east-1 --profile ops list`',
  );
});
