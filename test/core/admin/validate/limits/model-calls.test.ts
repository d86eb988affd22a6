// What apply says of limits and the calls of a flow: rules that let nothing run, and costs that nobody knows.
import { describe, expect, it } from 'vitest';
import { CLOSED, NOTHING, rules, usage, validate } from './limited-neuron.ts';

describe('rules and the calls of a flow', () => {
  const flow = (call: string) => `flow: [{ callModel: { provider: p, model: m, ${call} } }]`;
  const priced = 'providers: { p: { type: openai } }\nprices: { p/m: { input: 1, output: 2 } }\n';

  it('refuses a limit of tokens that one call exceeds, and names the smallest that would do', () => {
    const call = flow('prompt: "ü {{input}}", maxTokens: 100');
    // Two bytes of ü, one of the space, 64 for the message, 100 for the answer.
    expect(validate(`${CLOSED}\n${rules('tokens user 167 1m')}\n${call}`)).toEqual(NOTHING);
    expect(validate(`${CLOSED}\n${rules('tokens user 166 1m')}\n${call}`).errors).toEqual([
      'flow[0].callModel reserves at least 167 tokens before it is sent: 67 tokens for its messages and 100 for its answer (maxTokens). That is more than rateLimits[0] (166 tokens a user in 1m) ever allows, so it could never run. Raise the limit to at least 167 tokens, or lower maxTokens.',
    ]);
  });

  it('counts every placeholder as empty, since it may be', () => {
    const call = flow('prompt: "{{input}}{{output}}{{username}}{{execution.id}}{{now}}", maxTokens: 100');
    expect(validate(`${CLOSED}\n${rules('tokens user 164 1m')}\n${call}`)).toEqual(NOTHING);
    expect(validate(`${CLOSED}\n${rules('tokens user 163 1m')}\n${call}`).errors).toHaveLength(1);
  });

  it('refuses a limit of cost that one call or one of its fallbacks exceeds', () => {
    const dear =
      'providers: { p: { type: openai } }\nprices: { p/m: { input: 1, output: 2 }, p/dear: { input: 1, output: 9 } }\n';
    const call = flow('maxTokens: 1000, fallbacks: [{ provider: p, model: dear }]');
    // 64 tokens at $1 and 1000 at $2 or $9 a million.
    expect(validate(`${CLOSED}\n${rules('cost total 0.009064 1d')}\n${call}`, dear).errors).toEqual([]);
    expect(validate(`${CLOSED}\n${rules('cost total 0.009063 1d')}\n${call}`, dear).errors).toEqual([
      expect.stringMatching(/^flow\[0\]\.callModel\.fallbacks\[0\] reserves at least \$0\.009064 before/),
    ]);
    expect(validate(`${CLOSED}\n${rules('cost total 0.002063 1d')}\n${call}`, dear).errors).toHaveLength(2);
  });

  it('refuses a limit of cost that one of its targets exceeds', () => {
    const dear =
      'providers: { p: { type: openai } }\nprices: { p/m: { input: 1, output: 2 }, p/dear: { input: 1, output: 9 } }\n';
    const call =
      'flow: [{ callModel: { targets: [{ provider: p, model: m }, { provider: p, model: dear }], maxTokens: 1000 } }]';
    expect(validate(`${CLOSED}\n${rules('cost total 0.009063 1d')}\n${call}`, dear).errors).toEqual([
      expect.stringMatching(/^flow\[0\]\.callModel\.targets\[1\] reserves at least \$0\.009064 before/),
    ]);
  });

  it('refuses what the limits of the organization never allow, also in branches', () => {
    const branch =
      'flow: [{ ifInputContains: { any: [a], then: [{ callModel: { provider: p, model: m, maxTokens: 10 } }] } }]';
    expect(validate(`${CLOSED}\n${branch}`, `${priced}${usage('tokens 73 month')}`).errors).toEqual([
      expect.stringMatching(
        /^flow\[0\]\.ifInputContains\.then\[0\]\.callModel reserves at least 74 tokens .* than usageLimits\[0\] \(73 tokens in the organization in 1 month\)/,
      ),
    ]);
    expect(validate(`${CLOSED}\n${branch}`, `${priced}${usage('tokens 74 month')}`).errors).toEqual([]);
  });

  it('refuses to limit the cost of a model without a price, with the line to add', () => {
    const unpriced = 'providers: { p: { type: openai } }\n';
    const line =
      'asks p/m, which has no price, but rateLimits[0] ($50 in total in 1d) limits cost and so could never let it run. Add what 1,000,000 tokens cost in dollars to the organization acme: `prices: { "p/m": { input: 0.00, output: 0.00 } }`.';
    const text = `${CLOSED}\n${rules('cost total 50 1d')}\n${flow('maxTokens: 9')}`;
    expect(validate(text, unpriced).errors).toEqual([`flow[0].callModel ${line}`]);
    expect(validate(text, priced)).toEqual(NOTHING);
    const uncosted = `${CLOSED}\n${rules('requests total 5 1d')}\n${flow('maxTokens: 9')}`;
    expect(validate(uncosted, unpriced)).toEqual(NOTHING);
    expect(validate(`${CLOSED}\n${flow('maxTokens: 9')}`, unpriced)).toEqual(NOTHING);
    // The organization is not known: nobody can say.
    expect(validate(text)).toEqual(NOTHING);
  });

  it('refuses it for the organization, for fallbacks and for embeddings too', () => {
    const unpriced = `providers: { p: { type: openai }, demo: { type: echo } }\n${usage('cost 5 month')}`;
    const call =
      'flow: [{ callModel: { provider: demo, model: m, fallbacks: [{ provider: p, model: "1" }] } }]\ncaching: { semantic: { embedding: { provider: p, model: e } } }';
    expect(validate(`${CLOSED}\n${call}`, unpriced).errors).toEqual([
      expect.stringMatching(/^flow\[0\]\.callModel\.fallbacks\[0\] asks p\/1, .*usageLimits\[0\]/),
      expect.stringMatching(/^caching\.semantic\.embedding asks p\/e, /),
    ]);
  });

  it('takes limits of requests whatever a call reserves, and limits of cost over what is free', () => {
    const echo = 'providers: { p: { type: echo } }\n';
    const text = `${CLOSED}\n${rules('requests user 1 1d', 'cost total 0 1d')}\n${flow('maxTokens: 1000000')}`;
    expect(validate(text, echo)).toEqual(NOTHING);
    const dear = 'providers: { p: { type: openai } }\nprices: { p/m: { input: 0, output: 5000 } }\n';
    const one = `${CLOSED}\n${rules('requests user 1 1d')}\n${flow('maxTokens: 1000000')}`;
    expect(validate(one, dear)).toEqual(NOTHING);
  });
});
