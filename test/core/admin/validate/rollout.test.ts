// The guards of a rollout: built in, or metrics that the neuron takes.
import { describe, expect, it } from 'vitest';
import { acme, callDemo, errors } from './validate-text.ts';

const withGuards = (guards: string, more = '') =>
  errors(
    `${acme}---\nneuron: acme/support\naccess: { public: true }\n${more}rollout: { guards: ${guards} }\n${callDemo}`,
  );
const FEEDBACK = 'feedback: { metrics: { helpful: { type: boolean } } }\n';

describe('the guards of a rollout', () => {
  it.each(['[]', '[failed]', '[failed, slow, dear]'])('may be %s', (guards) => {
    expect(withGuards(guards)).toEqual([]);
  });

  it('may be a metric that callers can send, and no other', () => {
    expect(withGuards('[helpful]', FEEDBACK)).toEqual([]);
    expect(withGuards('[helpful]')).toEqual([
      expect.stringContaining('rollout.guards[0]: is no metric of feedback'),
    ]);
    expect(withGuards('[failed, stars]', FEEDBACK)).toEqual([
      expect.stringContaining('rollout.guards[1]: is no metric of feedback, and not failed, slow, dear'),
    ]);
  });

  it.each(['[failed, failed]', '[Failed]', '[""]', 'failed'])('may not be %s', (guards) => {
    expect(withGuards(guards)).toHaveLength(1);
  });
});
