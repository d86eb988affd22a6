// The calls that `npm start` suggests: of neurons that are there.
import { expect, it } from 'vitest';
import { renderReady } from '../../bin/start/ready.ts';

const facts = { url: 'http://127.0.0.1:3000', dataFolder: '.local', dynamodbUrl: 'http://127.0.0.1:4000/x' };

it('suggests a neuron of the examples only where they were applied', () => {
  expect(renderReady({ ...facts, applied: 'examples' })).toContain('http://127.0.0.1:3000/acme/hello');
  for (const applied of ['settings', 'nothing'] as const)
    expect(renderReady({ ...facts, applied })).not.toContain('acme');
});

it('says how to find and call a neuron of other settings, in their data folder', () => {
  const text = renderReady({ ...facts, dataFolder: 'kept', applied: 'settings' });
  expect(text).toContain('npx neuron --local=kept list\n');
  expect(text).toContain('npx neuron --local=kept call ORGANIZATION/NEURON --input Hello\n');
  expect(renderReady({ ...facts, applied: 'nothing' })).not.toContain('Try it');
});
