// The body of a request with feedback: what is taken, and what is refused with which words.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { parseFeedback } from '../../../core/feedback/parse.ts';
import { feedbackSchema } from '../../../core/settings/feedback/feedback-schema.ts';

const METRICS = { helpful: { type: 'boolean' }, stars: { type: 'number', min: 1, max: 5 } };
const SETTINGS = feedbackSchema.parse({ metrics: METRICS });
const WITH_COMMENTS = feedbackSchema.parse({ metrics: METRICS, comments: true });

const body = (members: object) => JSON.stringify({ token: 't', ...members });

function refusal(text: string | undefined, settings = SETTINGS): readonly unknown[] {
  try {
    return [parseFeedback(text, settings)];
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return [thrown.code, thrown.param, thrown.detail];
  }
}

describe('parseFeedback', () => {
  it.each<[object, object]>([
    [
      { metric: 'helpful', value: true },
      { metric: 'helpful', value: true },
    ],
    [
      { metric: 'helpful', value: false, other: 1 },
      { metric: 'helpful', value: false },
    ],
    [
      { metric: 'stars', value: 4.125 },
      { metric: 'stars', value: 4.125 },
    ],
    [
      { metric: 'stars', value: 1, comment: '' },
      { metric: 'stars', value: 1 },
    ],
  ])('takes %j', (members, expected) => {
    expect(parseFeedback(body(members), SETTINGS)).toEqual({ token: 't', ...expected });
  });

  it('takes a comment where the neuron does, as text that every store takes', () => {
    const members = { metric: 'helpful', value: true, comment: 'fine \ud800' };
    expect(parseFeedback(body(members), WITH_COMMENTS)).toMatchObject({ comment: 'fine \ufffd' });
  });

  const NO_METRIC = '"metric" must be a metric of this neuron: helpful, stars.';
  const NO_STARS = '"value" must be a number from 1 to 5 with at most 3 decimals.';
  it.each<[string, string | undefined, readonly unknown[]]>([
    ['no body', undefined, ['malformed_json', undefined]],
    ['no JSON', '{', ['malformed_json', undefined]],
    ['a list', '[]', ['malformed_body', undefined]],
    ['no token', '{"metric":"helpful","value":true}', ['invalid_feedback', 'token']],
    ['a token that is no text', '{"token":7}', ['invalid_feedback', 'token']],
    ['no metric', body({ value: true }), ['invalid_feedback', 'metric', NO_METRIC]],
    ['another metric', body({ metric: 'Helpful', value: true }), ['invalid_feedback', 'metric', NO_METRIC]],
    [
      'a name of every object',
      body({ metric: 'constructor', value: true }),
      ['invalid_feedback', 'metric', NO_METRIC],
    ],
    ['the prototype', body({ metric: '__proto__', value: true }), ['invalid_feedback', 'metric', NO_METRIC]],
    [
      'a number for a boolean',
      body({ metric: 'helpful', value: 1 }),
      ['invalid_feedback', 'value', '"value" must be true or false.'],
    ],
    ['a text for a number', body({ metric: 'stars', value: '5' }), ['invalid_feedback', 'value', NO_STARS]],
    ['too few', body({ metric: 'stars', value: 0.999 }), ['invalid_feedback', 'value', NO_STARS]],
    ['too many', body({ metric: 'stars', value: 5.001 }), ['invalid_feedback', 'value', NO_STARS]],
    ['more decimals', body({ metric: 'stars', value: 4.1255 }), ['invalid_feedback', 'value', NO_STARS]],
    ['infinity', '{"token":"t","metric":"stars","value":1e999}', ['invalid_feedback', 'value', NO_STARS]],
    ['a comment', body({ metric: 'helpful', value: true, comment: 'x' }), ['invalid_feedback', 'comment']],
    ['more than feedback can be', body({ metric: 'x'.repeat(32_768) }), ['input_too_large', undefined]],
  ])('refuses %s', (_, text, expected) => {
    expect(refusal(text).slice(0, expected.length)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['that is too long', 'a'.repeat(2_001)],
    ['that is a number', 7],
    ['that is a list', ['x']],
  ])('refuses a comment %s', (_, comment) => {
    const [code, param] = refusal(body({ metric: 'helpful', value: true, comment }), WITH_COMMENTS);
    expect([code, param]).toEqual(['invalid_feedback', 'comment']);
  });
});

describe('the settings of feedback', () => {
  it.each<[string, object]>([
    ['no metrics', {}],
    ['an empty list of metrics', { metrics: {} }],
    ['a name with capitals', { metrics: { Helpful: { type: 'boolean' } } }],
    ['another type', { metrics: { helpful: { type: 'text' } } }],
    ['a number without bounds', { metrics: { stars: { type: 'number' } } }],
    ['bounds that are turned', { metrics: { stars: { type: 'number', min: 5, max: 1 } } }],
    ['bounds beyond 100', { metrics: { stars: { type: 'number', min: 0, max: 101 } } }],
    [
      'eleven metrics',
      { metrics: Object.fromEntries([...'abcdefghijk'].map((name) => [name, { type: 'boolean' }])) },
    ],
    ['half a year', { metrics: METRICS, within: '180d' }],
  ])('refuse %s', (_, settings) => {
    expect(feedbackSchema.safeParse(settings).success).toBe(false);
  });
});
