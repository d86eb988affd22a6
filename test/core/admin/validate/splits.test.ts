// Splits by `stickyBy` in settings: what they may say, and what would not do what it seems to.
import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { acme, errors, validate } from './validate-text.ts';

const split = (members: string) =>
  `  - randomizedSplit: { percentageA: 50, ${members}, a: [{ serveOutput: { text: x } }] }\n`;
const warnings = (text: string) =>
  validate(text)
    .warnings.map(renderDiagnostic)
    .filter((warning) => warning.includes('randomizedSplit'));
const neuron = (flow: string, access = '{ apiKey: true }') =>
  `${acme}---\nneuron: acme/support\naccess: ${access}\nflow:\n${flow}  - stop: {}\n`;

describe('a split', () => {
  it.each(['user', 'key', 'address'])('may be by %s', (by) => {
    expect(errors(neuron(split(`stickyBy: ${by}`)))).toEqual([]);
    expect(warnings(neuron(split(`stickyBy: ${by}, name: tone-2_b`)))).toEqual([]);
  });

  it.each(['stickyBy: request', 'stickyBy: User', 'stickyBy: true', 'stickyBy: null', 'stickyBy: [user]'])(
    'may not have %s',
    (members) => {
      expect(errors(neuron(split(members)))).toEqual([
        expect.stringContaining('randomizedSplit.stickyBy: must be one of user key address'),
      ]);
    },
  );

  it.each(['""', 'Tone', '1st', 'a#b', 'a/b', '"a b"', 'a'.repeat(33), '1', '"a\\n"', '__proto__'])(
    'may not be named %s',
    (name) => {
      expect(errors(neuron(split(`stickyBy: user, name: ${name}`)))).toEqual([
        expect.stringContaining('randomizedSplit.name: must be'),
      ]);
    },
  );

  it('has a name where another one of the flow has none, branches included', () => {
    const inner = 'stickyBy: key, b: [{ randomizedSplit: { percentageA: 5, stickyBy: user } }]';
    expect(errors(neuron(split('stickyBy: user') + split('stickyBy: key')))).toEqual([
      expect.stringContaining('flow[1].randomizedSplit: has no name, like another split'),
    ]);
    expect(errors(neuron(split(inner)))).toEqual([
      expect.stringContaining('flow[0].randomizedSplit.b[0].randomizedSplit: has no name'),
    ]);
    expect(errors(neuron(split('stickyBy: user') + split('stickyBy: user, name: b')))).toEqual([]);
    expect(errors(neuron(split('stickyBy: user, name: b') + split('stickyBy: user, name: b')))).toEqual([]);
  });

  it('warns where no caller has such a subject, and of a name without effect', () => {
    const jwt = '{ jwt: { sharedSecret: { secret: s }, usernamePath: sub } }';
    const open = '{ public: true }';
    expect(warnings(neuron(split('stickyBy: user'), open))).toEqual([
      expect.stringContaining('stickyBy: tells callers apart by their addresses: nobody has a user'),
    ]);
    expect(warnings(neuron(split('stickyBy: key'), jwt))).toEqual([
      expect.stringContaining('stickyBy: tells callers apart by their addresses: nobody has a key'),
    ]);
    expect(warnings(neuron(split('stickyBy: user'), jwt))).toEqual([]);
    expect(warnings(neuron(split('stickyBy: address'), open))).toEqual([]);
    expect(warnings(neuron(split('name: tone')))).toEqual([
      expect.stringContaining('randomizedSplit.name: does nothing without stickyBy'),
    ]);
  });
});
