// What `validate` says about an object of a wrong kind and about names: everything that is wrong, and what was probably meant.
import { describe, expect, it, test } from 'vitest';
import { acme, callDemo, errors } from './validate-text.ts';

const hello = 'neuron: acme/hello\naccess: { apiKey: true }\n';

describe('an object of a wrong kind', () => {
  it('is validated as the kind that was probably meant', () => {
    const limits = 'rateLimits: [{ metric: request, scope: key, limit: 5, period: 1 min }]\n';
    expect(errors(`${acme}---\n${hello}${limits}${callDemo}`)).toEqual([
      expect.stringContaining(
        'rateLimits[0].metric: "request" is no metric: choose requests, tokens, cost or concurrent (did you mean requests?)',
      ),
      expect.stringContaining('rateLimits[0].scope: must be total, ip or user'),
      expect.stringContaining('rateLimits[0].period: must be one of 1s 10s'),
    ]);
    const provider = acme.replace('echo', 'opnai, apiKey: sk-1, timeuot: 3s');
    expect(errors(provider)).toEqual([
      expect.stringContaining('(did you mean openai?)'),
      expect.stringContaining('providers.demo.apiKey: must be { secret: NAME }'),
      expect.stringContaining('has the unknown member timeuot (did you mean timeout?)'),
    ]);
  });

  it('is validated by its meaning, too', () => {
    expect(errors(acme.replace('echo', 'opnai, baseUrl: http://api.example.com/v1'))).toEqual([
      expect.stringContaining('(did you mean openai?)'),
      expect.stringMatching(/providers\.demo\.baseUrl: .*https/),
    ]);
  });

  it('is read as the kind with the fewest errors where none is near or named', () => {
    const limit = (members: string) => errors(`${acme}usageLimits: [{ ${members} }]\n`);
    expect(limit('metric: euros, limit: 5, period: week')).toEqual([
      expect.stringContaining('usageLimits[0].metric: "euros" is no metric: choose'),
      expect.stringContaining('usageLimits[0].period: must be day or month'),
    ]);
    expect(limit('limit: 5')).toEqual([
      expect.stringContaining('usageLimits[0].metric: is missing: it must have a metric: requests, tokens'),
    ]);
  });

  it('costs little, a thousand times in a document', () => {
    const many = Array.from({ length: 1_000 }, () => '{ metric: x, limit: 0 }').join(', ');
    const startMs = performance.now();
    expect(errors(`${acme}usageLimits: [${many}]\n`).length).toBeGreaterThan(0);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});

describe('what stands below a misspelled name', () => {
  const flow = (steps: string) => errors(`${acme}---\n${hello}flow: [${steps}]\n`);

  it('is validated as what was probably meant, by the names of the file', () => {
    expect(
      flow('{ callModle: { provider: demo, modle: 5, temperature: 9 } }, { serveOutpt: { text: 5 } }'),
    ).toEqual([
      expect.stringContaining('flow[0]: has the unknown member callModle (did you mean callModel?)'),
      expect.stringContaining('flow[0].callModle: has the unknown member modle (did you mean model?)'),
      expect.stringContaining('flow[0].callModle.modle: must be text'),
      expect.stringContaining('flow[0].callModle.temperature: must be a number from 0 to 2'),
      expect.stringContaining('flow[1]: has the unknown member serveOutpt (did you mean serveOutput?)'),
      expect.stringContaining('flow[1].serveOutpt.text: must be text of 1 to 100000 characters'),
    ]);
  });

  it('is not read in place of a member that is there', () => {
    expect(flow('{ stop: { text: a, txt: 5, txet: 5 } }')).toEqual([
      expect.stringContaining('has unknown members: txt (did you mean text?), txet (did you mean text?)'),
    ]);
    expect(flow('{ stop: { txt: 5, txet: 6 } }')).toEqual([
      expect.stringContaining('flow[0].stop: has unknown members: txt (did you mean text?), txet'),
      expect.stringContaining('flow[0].stop.txt: must be text'),
    ]);
  });

  it('costs little, many deep', () => {
    const deep = `${'{ ifInputContans: { any: [a], thn: ['.repeat(30)}{ stp: {} }${'] } }'.repeat(30)}`;
    const startMs = performance.now();
    expect(flow(deep).length).toBeGreaterThan(9);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});

describe('a name', () => {
  test.each<[string, string, string]>([
    ['a name with one part', 'neuron: acme', 'neuron: must be ORGANIZATION/NEURON, such as acme/support'],
    [
      'a reserved neuron',
      'neuron: shop/chat',
      'acme/support: the neuron "chat" is reserved; choose another name',
    ],
    ['a reserved organization', 'neuron: v1/x', 'acme/support: the organization "v1" is reserved'],
    [
      'a point',
      'neuron: lite/gpt-4.1-mini',
      '"gpt-4.1-mini" may have only a-z, 0-9 and -, and no - at its ends, such as gpt-4-1-mini',
    ],
    [
      'capitals',
      'neuron: cc/Three_X',
      'the neuron "Three_X" may have only a-z, 0-9 and -, and no - at its ends, such as three-x',
    ],
    ['a part that is empty', 'neuron: acme/', 'the neuron "" is empty'],
    ['a long one', `neuron: acme/${'n'.repeat(64)}`, 'has 64 characters; a slug has at most 63'],
  ])('says which part of a neuron is wrong, and why: %s', (_, text, expected) => {
    expect(errors(`${acme}---\n${text}\naccess: { apiKey: true }\n${callDemo}`).join()).toContain(expected);
  });
});
