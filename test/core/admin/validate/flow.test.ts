// What is refused in a flow beyond its schema.
import { describe, expect, it } from 'vitest';
import { validateFlow } from '../../../../core/admin/validate/flow.ts';
import { flowSchema } from '../../../../core/settings/flow-schema.ts';

const serve = { serveOutput: {} };

function nested(depth: number): unknown {
  return depth === 0 ? serve : { randomizedSplit: { percentageA: 50, a: [nested(depth - 1)] } };
}

function validate(flow: unknown) {
  return validateFlow(flowSchema.parse(flow)).map(({ severity, path, message }) => {
    expect(severity).toBe('error');
    return { path, message };
  });
}

describe('validating a flow', () => {
  it('takes a flow whose texts hold the known placeholders', () => {
    expect(
      validate([
        { systemInstructions: 'Today is {{now}}.' },
        { systemInstructions: { text: '{{username}}', append: true } },
        { systemInstructions: { file: 'system.txt' } },
        { callModel: { provider: 'demo', model: 'm', prompt: '{{input}} {{execution.id}} {not} {{ }}' } },
        { stop: { text: '{{output}}' } },
      ]),
    ).toEqual([]);
  });

  it('refuses unknown placeholders in every text, all at once', () => {
    const known = '{{input}} {{output}} {{username}} {{execution.id}} {{now}}';
    const message = (name: string) => `has the unknown placeholder {{${name}}}; there are ${known}`;
    expect(
      validate([
        { systemInstructions: '{{one}}' },
        { systemInstructions: { text: '{{two}}' } },
        { callModel: { provider: 'demo', model: 'm', prompt: '{{three}} {{input}} {{four}}' } },
        { ifInputContains: { any: ['{{pattern}}'], else: [{ serveOutput: { text: '{{five}}' } }] } },
        { randomizedSplit: { percentageA: 1, b: [serve, { stop: { text: '{{six}}' } }] } },
      ]),
    ).toEqual([
      { path: [0, 'systemInstructions'], message: message('one') },
      { path: [1, 'systemInstructions', 'text'], message: message('two') },
      { path: [2, 'callModel', 'prompt'], message: message('three') },
      { path: [2, 'callModel', 'prompt'], message: message('four') },
      { path: [3, 'ifInputContains', 'else', 0, 'serveOutput', 'text'], message: message('five') },
      { path: [4, 'randomizedSplit', 'b', 1, 'stop', 'text'], message: message('six') },
    ]);
  });

  it('refuses branches nested more than 10 deep and names the list', () => {
    expect(validate([nested(10)])).toEqual([]);
    expect(validate([nested(11)])).toEqual([
      {
        path: [0, ...Array.from({ length: 11 }, () => ['randomizedSplit', 'a', 0]).flat()].slice(0, -1),
        message: 'must not be nested more than 10 deep',
      },
    ]);
  });

  it('refuses more than 1000 steps in all', () => {
    const hundred = Array.from({ length: 100 }, () => serve);
    const split = { randomizedSplit: { percentageA: 50, a: hundred } };
    const nine = Array.from({ length: 9 }, () => split);
    // 9 splits with 100 steps each are 909; 91 more make 1000.
    const ninetyOne = hundred.slice(0, 91);
    expect(validate([...nine, ...ninetyOne])).toEqual([]);
    expect(
      validate([...nine, ...ninetyOne.slice(1), { randomizedSplit: { percentageA: 1, b: [serve] } }]),
    ).toEqual([{ path: [], message: 'must hold at most 1000 steps, branches included' }]);
  });
});
