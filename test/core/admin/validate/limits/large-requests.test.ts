// What apply says where one request could take more than a tenth of a limit that callers share.
import { describe, expect, it, test } from 'vitest';
import { CLOSED, NOTHING, rules, usage, validate } from './limited-neuron.ts';

const PRICED =
  'providers: { p: { type: openai } }\nprices: { p/m: { input: 1, output: 2 }, p/dear: { input: 1, output: 9 } }\n';

const call = (settings: string) => `{ callModel: { provider: p, model: m, ${settings} } }`;

/** A neuron that takes 1,000 bytes: with 64 tokens for the message and 436 for the answer, an attempt is 1,500 tokens. */
function neuron(limits: string, ...calls: readonly string[]): string {
  const flow = (calls.length === 0 ? ['retries: 0, maxTokens: 436'] : calls).map(call);
  return [CLOSED, 'maxInputBytes: 1000', limits, `flow: [${flow.join(', ')}]`].join('\n');
}

function warnings(text: string, organization?: string): readonly string[] {
  const { errors, warnings: found } = validate(text, organization);
  expect(errors).toEqual([]);
  return found;
}

describe('a call that may take more than a tenth of a shared limit', () => {
  it('is named with the amount, the limit and the settings to change', () => {
    expect(warnings(neuron(rules('tokens total 44999 1d'), 'maxTokens: 436'))).toEqual([
      'flow[0].callModel may take up to 4500 tokens of rateLimits[0] (44999 tokens in total in 1d) for one request, more than a tenth of what all callers share: an attempt that times out is charged its whole reservation. Lower maxInputBytes, maxTokens or retries, or raise the limit.',
    ]);
    expect(validate(neuron(rules('tokens total 45000 1d'), 'maxTokens: 436'))).toEqual(NOTHING);
  });

  it('is a matter of its prompt, its retries and its fallbacks, each attempt in full', () => {
    const settings =
      'prompt: "{{input}}!!", maxTokens: 436, retries: 1, fallbacks: [{ provider: p, model: dear }]';
    expect(validate(neuron(rules('tokens total 60080 1d'), settings))).toEqual(NOTHING);
    expect(warnings(neuron(rules('tokens total 60079 1d'), settings))).toHaveLength(1);
    // 1,066 at $1 and 436 at $2, and again at $9, for a million; twice.
    const cost = 2 * (1066 + 872 + 1066 + 3924);
    const text = (limit: number) => neuron(rules(`cost total ${limit / 1e6} 1d`), settings);
    expect(validate(text(10 * cost), PRICED)).toEqual(NOTHING);
    expect(warnings(text(10 * cost - 1), PRICED)).toEqual([
      expect.stringContaining(`may take up to $${cost / 1e6} of rateLimits[0]`),
    ]);
  });

  it('asks each of its targets once, and the last one as often as it has retries', () => {
    const targets = 'targets: [{ provider: p, model: m }, { provider: p, model: dear, weight: 9 }]';
    const settings = `${targets}, maxTokens: 436, retries: 3, fallbacks: [{ provider: p, model: m }]`;
    const text = (limit: number) =>
      [
        CLOSED,
        'maxInputBytes: 1000',
        rules(`cost total ${limit / 1e6} 1d`),
        `flow: [{ callModel: { ${settings} } }]`,
      ].join('\n');
    // 1,064 at $1 and 436 at $2, or at $9, for a million: each target once, the dear one three times more, the fallback four times.
    const [plain, dear] = [1064 + 872, 1064 + 3924];
    const cost = plain + dear + 3 * dear + 4 * plain;
    expect(validate(text(10 * cost), PRICED)).toEqual(NOTHING);
    expect(warnings(text(10 * cost - 1), PRICED)).toEqual([
      expect.stringContaining(`may take up to $${cost / 1e6} of rateLimits[0]`),
    ]);
  });

  it('is the largest one of the flow, branches included', () => {
    const large = `{ ifInputContains: { any: [x], then: [${call('retries: 0, maxTokens: 636')}] } }`;
    const text = [
      CLOSED,
      'maxInputBytes: 1000',
      rules('tokens total 15000 1d'),
      `flow: [${call('retries: 0, maxTokens: 436')}, ${large}, ${call('retries: 0, maxTokens: 36')}]`,
    ].join('\n');
    expect(warnings(text)).toEqual([
      expect.stringMatching(/^flow\[1\]\.ifInputContains\.then\[0\]\.callModel may take up to 1700 tokens /),
    ]);
  });

  it('is warned about for each limit, those of the organization too', () => {
    const limits = usage('cost 0.05 month', 'tokens 1600 day', 'requests 2 day');
    expect(warnings(neuron('', 'maxTokens: 436'), `${PRICED}${limits}`)).toEqual([
      expect.stringMatching(
        /up to \$0\.005808 of usageLimits\[0\] \(\$0\.05 in the organization in 1 month\)/,
      ),
      expect.stringMatching(
        /up to 1600 tokens of usageLimits\[1\] \(1600 tokens in the organization in 1 day\)/,
      ),
    ]);
  });

  test.each([
    ['of users', rules('tokens user 1500 1d')],
    ['of addresses', rules('tokens ip 1500 1d')],
    ['of requests', rules('requests total 2 1d')],
    ['beside which a user may take only a tenth', rules('tokens user 1500 1d', 'tokens total 15000 1d')],
    ['beside which an address may take only a tenth', rules('tokens ip 1500 1h', 'tokens total 15000 1d')],
  ])('is none under limits %s', (_, limits) => {
    expect(validate(neuron(limits))).toEqual(NOTHING);
  });

  it('is not warned about for costs where the organization is not known, nor without a flow', () => {
    expect(validate(neuron(rules('cost total 0.000001 1d')))).toEqual(NOTHING);
    const { errors, warnings: found } = validate(`${CLOSED}\n${rules('tokens total 10 1d')}`);
    expect([...errors, ...found]).toEqual([]);
  });
});

describe('a call that takes what its callers say', () => {
  const text = (settings: string, limit: string) => neuron(rules(limit), `retries: 0, ${settings}`);

  it('may answer with all that its model can, where the step takes parameters and has no limit', () => {
    // 1,064 for the input; nothing is known of the model m, so 32,000 for its answer.
    expect(validate(text('accepts: [parameters]', 'tokens total 330640 1d'))).toEqual(NOTHING);
    expect(warnings(text('accepts: [parameters]', 'tokens total 330639 1d'))).toEqual([
      expect.stringContaining('may take up to 33064 tokens of'),
    ]);
    // The vendor names 128,000 for this one, which is the second of two that are each asked once.
    const targets = 'targets: [{ provider: p, model: m }, { provider: p, model: claude-opus-4-8 }]';
    const both = [CLOSED, 'maxInputBytes: 1000', rules('tokens total 1621279 1d')].join('\n');
    expect(
      warnings(`${both}\nflow: [{ callModel: { ${targets}, retries: 0, accepts: [parameters] } }]`),
    ).toEqual([expect.stringContaining('may take up to 162128 tokens of')]);
  });

  it('answers within the limit of the step, or its default, where callers have no say', () => {
    const limited = 'accepts: [parameters], maxTokens: 436';
    expect(validate(text(limited, 'tokens total 15000 1d'))).toEqual(NOTHING);
    expect(warnings(text(limited, 'tokens total 14999 1d'))).toHaveLength(1);
    // 1,064 for the input and 1,024 for the answer.
    expect(validate(text('accepts: [history]', 'tokens total 20880 1d'))).toEqual(NOTHING);
    expect(warnings(text('accepts: [history]', 'tokens total 20879 1d'))).toHaveLength(1);
  });

  it('still runs under a limit that only its longest answer exceeds', () => {
    // 64 tokens for the message and 1,024 for the answer of a caller who says nothing.
    expect(validate(text('accepts: [parameters]', 'tokens user 1088 1d')).errors).toEqual([]);
    expect(validate(text('accepts: [parameters]', 'tokens user 1087 1d')).errors).toHaveLength(1);
  });

  it('costs what it writes to a prompt cache, for the longest time that its callers may ask for', () => {
    // 1,064 for the input, 436 at $2 for the answer; a million tokens at $1, $3 or $5 for the input.
    const costs = (settings: string, input: number, provider = '{ type: openai }') => {
      const prices = `providers: { p: ${provider} }\nprices: { p/m: { input: 1, cacheWrite: 3, cacheWrite1h: 5, output: 2 } }\n`;
      const cost = 1064 * input + 872;
      const limited = (limit: number) => text(`maxTokens: 436, ${settings}`, `cost total ${limit / 1e6} 1d`);
      expect(validate(limited(10 * cost), prices)).toEqual(NOTHING);
      expect(warnings(limited(10 * cost - 1), prices)).toHaveLength(1);
    };
    costs('promptCache: off', 1);
    costs('promptCache: auto', 3);
    costs('promptCache: caller', 5);
    costs('accepts: [cacheControl]', 5);
    costs('accepts: [history]', 1);
    costs('accepts: [passThrough]', 5, '{ type: anthropic, apiKey: { secret: key } }');
  });
});
