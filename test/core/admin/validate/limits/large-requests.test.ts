// What apply says where one request could take more than a tenth of a limit that callers share.
import { describe, expect, it, test } from 'vitest';
import { CLOSED, NOTHING, rules, usage, validate } from './limited-neuron.ts';

const PRICED =
  'providers: { p: { type: openai } }\nprices: { p/m: { input: 1, output: 2 }, p/dear: { input: 1, output: 9 } }\n';

/** A neuron of one call. */
function neuron(
  limits: string,
  { input = 1000, call = 'retries: 0, maxTokens: 436', more = '' } = {},
): string {
  const flow = `flow: [{ callModel: { provider: p, model: m, ${call} } }]`;
  return [CLOSED, `maxInputBytes: ${input}`, limits, flow, more].join('\n');
}

/** The warnings, with their paths, and up to the remedy. */
function warnings(text: string, organization?: string): readonly string[] {
  const { errors, warnings: found } = validate(text, organization);
  expect(errors).toEqual([]);
  return found;
}

describe('a request that may take more than a tenth of a shared limit', () => {
  it('is named with the limit and the setting to change, at that setting', () => {
    expect(warnings(neuron(rules('tokens total 20000 1d'), { call: 'maxTokens: 436' }))).toEqual([
      'flow[0].callModel.retries lets a single request take up to 4500 tokens of rateLimits[0] (20000 tokens in total in 1d), more than a tenth of what all callers share: an attempt that times out is booked at all that it reserved. Set retries (2) to 0.',
    ]);
  });

  it('is counted to the byte: its input, 64 for each message, and its answer', () => {
    expect(validate(neuron(rules('tokens total 15000 1d')))).toEqual(NOTHING);
    expect(warnings(neuron(rules('tokens total 14999 1d'), { input: 1100 }))).toEqual([
      expect.stringMatching(
        /^flow\[0\]\.callModel\.maxTokens lets .* up to 1600 tokens .* Lower maxTokens \(436\)/,
      ),
    ]);
    expect(warnings(neuron(rules('tokens total 15999 1d'), { input: 1100 }))).toEqual([
      expect.stringMatching(
        /^maxInputBytes lets .* up to 1600 tokens .* Set maxInputBytes \(1100\) to at most 1099\.$/,
      ),
    ]);
  });

  it('is a matter of its retries and its fallbacks, each attempt in full', () => {
    const fallback = 'maxTokens: 436, retries: 1, fallbacks: [{ provider: p, model: dear }]';
    expect(validate(neuron(rules('tokens total 60000 1d'), { call: fallback }))).toEqual(NOTHING);
    expect(warnings(neuron(rules('tokens total 59999 1d'), { call: fallback }))).toEqual([
      expect.stringMatching(/ up to 6000 tokens .* Set retries \(1\) to 0\.$/),
    ]);
    // 1,064 at $1 and 436 at $2, and again at $9, for a million; twice.
    const cost = 2 * (1064 + 872 + 1064 + 3924);
    const text = (limit: number) => neuron(rules(`cost total ${limit / 1e6} 1d`), { call: fallback });
    expect(validate(text(10 * cost), PRICED)).toEqual(NOTHING);
    expect(warnings(text(10 * cost - 1), PRICED)).toEqual([
      expect.stringContaining(`lets a single request take up to $${cost / 1e6} of rateLimits[0]`),
    ]);
  });

  it('says to shorten the input where that is enough, and both where neither alone is', () => {
    const call = 'maxTokens: 436';
    expect(warnings(neuron(rules('tokens total 60000 1d'), { input: 20_000, call }))).toEqual([
      expect.stringMatching(/^maxInputBytes .*Set maxInputBytes \(20000\) to at most 1500\.$/),
    ]);
    expect(warnings(neuron(rules('tokens total 30000 1d'), { input: 20_000, call }))).toEqual([
      expect.stringMatching(
        /^maxInputBytes .*Set maxInputBytes \(20000\) to at most 2500, and retries \(2\) to 0\.$/,
      ),
    ]);
  });

  it('names the first call that retries, and the one with the longest answer', () => {
    const warningsOf = (limit: number, ...calls: readonly string[]) => {
      const flow = calls.map((call) => `{ callModel: { provider: p, model: m, ${call} } }`);
      const limits = rules(`tokens total ${limit} 1d`);
      return warnings([CLOSED, 'maxInputBytes: 1100', limits, `flow: [${flow.join(', ')}]`].join('\n'));
    };
    expect(warningsOf(32_000, 'maxTokens: 436, retries: 0', 'maxTokens: 436')).toEqual([
      expect.stringMatching(
        /^flow\[1\]\.callModel\.retries .* up to 6400 tokens .* Set retries \(2\) to 0\.$/,
      ),
    ]);
    expect(warningsOf(14_999, 'maxTokens: 100, retries: 0', 'maxTokens: 436, retries: 0')).toEqual([
      expect.stringMatching(
        /^flow\[1\]\.callModel\.maxTokens .* up to 2864 tokens .* Lower maxTokens \(436\)/,
      ),
    ]);
  });

  it('is to have no less than 1 KiB of input', () => {
    const at = (limit: number) => warnings(neuron(rules(`tokens total ${limit} 1d`), { input: 2000 }));
    expect(at(15_240)).toEqual([
      expect.stringMatching(/^maxInputBytes .*Set maxInputBytes \(2000\) to at most 1024\.$/),
    ]);
    expect(at(15_239)).toEqual([
      expect.stringMatching(/^flow\[0\]\.callModel\.maxTokens .* Lower maxTokens \(436\)/),
    ]);
  });

  it('is warned about for each limit, those of the organization too', () => {
    const limits = usage('cost 0.05 month', 'tokens 1600 day', 'requests 2 day');
    expect(warnings(neuron('', { call: 'maxTokens: 436' }), `${PRICED}${limits}`)).toEqual([
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
    expect(validate(neuron(limits, { call: 'maxTokens: 436, retries: 0' }))).toEqual(NOTHING);
  });

  it('takes the longest way through branches, and none behind a step that ends the run', () => {
    const call = (tokens: number) =>
      `{ callModel: { provider: p, model: m, retries: 0, maxTokens: ${tokens} } }`;
    const walk = (flow: string) => (limit: number) =>
      warnings(
        [CLOSED, 'maxInputBytes: 1000', rules(`tokens total ${limit} 1d`), `flow: [${flow}]`].join('\n'),
      );
    const split = walk(
      `{ randomizedSplit: { percentageA: 50, a: [${call(436)}, { stop: {} }], b: [${call(236)}] } }, ${call(136)}`,
    );
    // 1,300 + 1,200 behind b; 1,500 alone behind a.
    expect(split(25_000)).toEqual([]);
    expect(split(24_999)).toHaveLength(1);
    const endingInB = walk(
      `{ randomizedSplit: { percentageA: 50, a: [${call(236)}], b: [${call(436)}, { stop: {} }] } }, ${call(136)}`,
    );
    expect(endingInB(25_000)).toEqual([]);
    expect(endingInB(24_999)).toHaveLength(1);
    const ending = walk(
      `{ ifInputContains: { any: [x], then: [${call(1436)}, { serveOutput: {} }] } }, ${call(136)}, { stop: {} }, ${call(9000)}`,
    );
    expect(ending(25_000)).toEqual([]);
    expect(ending(24_999)).toHaveLength(1);
    const unending = walk(`{ ifOutputContains: { any: [x], then: [${call(436)}] } }, ${call(436)}`);
    expect(unending(30_000)).toEqual([]);
    expect(unending(29_999)).toHaveLength(1);
  });

  it('counts instructions, those that are appended too, and what placeholders stand for', () => {
    const call = (prompt: string) =>
      `{ callModel: { provider: p, model: m, retries: 0, maxTokens: 100, prompt: "${prompt}" } }`;
    const most = (flow: string, tokens: number): void => {
      const at = (limit: number) =>
        warnings(
          [CLOSED, 'maxInputBytes: 1000', rules(`tokens total ${limit} 1d`), `flow: [${flow}]`].join('\n'),
        );
      expect(at(10 * tokens)).toEqual([]);
      expect(at(10 * tokens - 1)).toHaveLength(1);
    };
    most(`{ systemInstructions: "ü{{input}}" }, ${call('{{input}}')}`, 64 + 1002 + 64 + 1000 + 100);
    most(
      `{ systemInstructions: aaaa }, { systemInstructions: { text: bb, append: true } }, ${call('x')}`,
      64 + 6 + 64 + 1 + 100,
    );
    most(
      `{ systemInstructions: aaaa }, { systemInstructions: bb }, ${call('{{ other }}')}`,
      64 + 2 + 64 + 11 + 100,
    );
    // The text of a file is not known yet; that there is a message is.
    most(`{ systemInstructions: { file: a.md } }, ${call('x')}`, 64 + 64 + 1 + 100);
    most(
      `{ ifInputContains: { any: [x], then: [{ systemInstructions: { file: a.md } }] } }, ${call('x')}`,
      64 + 64 + 1 + 100,
    );
    // 400 bytes of the first answer, and what else there is.
    most(`${call('x')}, ${call('{{output}}')}`, 64 + 1 + 100 + 64 + 400 + 100);
    most(call('{{username}}{{execution.id}}{{now}}'), 64 + 1024 + 64 + 24 + 100);
    most(
      `{ ifInputContains: { any: [x], then: [{ systemInstructions: aaaa }], else: [${call('x')}] } }, ${call('{{output}}')}`,
      64 + 1 + 100 + 64 + 4 + 64 + 400 + 100,
    );
  });

  it('counts what of a conversation a call accepts', () => {
    const most = (call: string, tokens: number): void => {
      const at = (limit: number) =>
        warnings(neuron(rules(`tokens total ${limit} 1d`), { call: `retries: 0, maxTokens: 100, ${call}` }));
      expect(at(10 * tokens)).toEqual([]);
      expect(at(10 * tokens - 1)).toHaveLength(1);
    };
    most('prompt: x', 1 + 64 + 100);
    most('accepts: [parameters]', 1000 + 64 + 100);
    most('accepts: [parameters], prompt: x', 1001 + 64 + 100);
    most('accepts: [history]', 1000 + 200 * 64 + 100);
    most('accepts: [history], prompt: "{{input}}"', 1000 + 200 * 64 + 100);
    most('accepts: [system]', 1000 + 2 * 64 + 100);
    most('accepts: [schema]', 1000 + 2 * 64 + 100);
    most('outputSchema: { a: 1 }', 1000 + 7 + 2 * 64 + 100);
    most('accepts: [tools]', 1000 + (200 + 128) * 64 + 100);
    most('accepts: [images]', 1000 + 64 + 20 * 6000 + 100);
  });

  it('counts the embedding of its input', () => {
    const semantic = 'caching: { semantic: { embedding: { provider: p, model: m } } }';
    expect(validate(neuron(rules('tokens total 25640 1d'), { more: semantic }))).toEqual(NOTHING);
    expect(warnings(neuron(rules('tokens total 25639 1d'), { more: semantic }))).toHaveLength(1);
  });

  it('counts the embedding of a neuron without a flow, and names its input', () => {
    const semantic = 'caching: { semantic: { embedding: { provider: p, model: m } } }';
    const at = (limit: number) =>
      warnings([CLOSED, 'maxInputBytes: 1000', rules(`tokens total ${limit} 1d`), semantic].join('\n'));
    expect(at(10_640)).toEqual([]);
    expect(at(10_639)).toEqual([
      expect.stringMatching(
        /^maxInputBytes lets a single request take up to 1064 tokens .* Lower maxInputBytes \(1000\), or raise the limit\.$/,
      ),
    ]);
  });

  it('is not said of costs where the organization is not known', () => {
    expect(validate(neuron(rules('cost total 0.000001 1d')))).toEqual(NOTHING);
  });
});
