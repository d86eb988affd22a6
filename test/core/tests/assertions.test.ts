// Assertions: what each holds for, what its opposite does, and how several become one verdict.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateJson } from '../../../adapters/schema/validate-json.ts';
import { testsSchema } from '../../../core/settings/tests/tests-schema.ts';
import type { AssertionPorts } from '../../../core/tests/assertions/assertion.ts';
import { assessAnswer } from '../../../core/tests/assertions/assess.ts';
import { splitValues } from '../../../core/tests/assertions/comma-values.ts';
import { editDistance } from '../../../core/tests/assertions/edit-distance.ts';
import { findJsonObjects } from '../../../core/tests/assertions/find-json.ts';

const ports: AssertionPorts = {
  validateJson,
  judge: async (rubric, output) => ({
    pass: output.includes(rubric),
    score: output.includes(rubric) ? 0.75 : 0.25,
    reason: `about ${rubric}`,
  }),
  similarity: async (one, other) => (one === other ? 1 : 0.5),
};

const ANSWER = { output: 'Open at nine, {"open": 9}', latencyMs: 120, costMicrodollars: 1_500 };

/** As a file writes it. */
function assess(test: object, answer: object = {}) {
  const document = { tests: 'acme/a', cases: [{ name: 'a', input: '', ...test }] };
  const [parsed] = testsSchema.parse(document).cases;
  return assessAnswer(parsed!, { ...ANSWER, ...answer }, ports);
}

const one = (assertion: object, answer?: object) => assess({ assert: [assertion] }, answer);

describe('an assertion', () => {
  it.each<[object, boolean, object?]>([
    [{ type: 'equals', value: ANSWER.output }, true],
    [{ type: 'equals', value: 'Open' }, false],
    [{ type: 'equals', value: 9 }, true, { output: '9' }],
    [{ type: 'equals', value: { a: [1, { b: null }] } }, true, { output: '{ "a": [1, {"b": null}] }' }],
    [{ type: 'equals', value: { a: 1 } }, false, { output: 'no JSON' }],
    [{ type: 'contains', value: 'nine' }, true],
    [{ type: 'contains', value: 'NINE' }, false],
    [{ type: 'icontains', value: 'NINE' }, true],
    [{ type: 'contains', value: 9 }, true],
    [{ type: 'contains-any', value: ['ten', 'nine'] }, true],
    [{ type: 'contains-any', value: 'ten, nine' }, true],
    [{ type: 'icontains-any', value: ['TEN', 'ELEVEN'] }, false],
    [{ type: 'contains-all', value: ['Open', 'nine'] }, true],
    [{ type: 'icontains-all', value: ['OPEN', 'ten'] }, false],
    [{ type: 'starts-with', value: 'Open at' }, true],
    [{ type: 'starts-with', value: 'open' }, false],
    [{ type: 'regex', value: 'n[aeiou]ne' }, true],
    [{ type: 'regex', value: '^nine' }, false],
    [{ type: 'is-json' }, false],
    [{ type: 'is-json' }, true, { output: '[1]' }],
    [{ type: 'is-json', value: { type: 'object', required: ['a'] } }, false, { output: '{}' }],
    [{ type: 'is-json', value: { type: 'object', required: ['a'] } }, true, { output: '{"a":1}' }],
    [{ type: 'contains-json' }, true],
    [{ type: 'contains-json', value: { required: ['open'] } }, true],
    [{ type: 'contains-json', value: { required: ['shut'] } }, false],
    [{ type: 'levenshtein', value: 'kitten' }, true, { output: 'sitting' }],
    [{ type: 'levenshtein', value: 'kitten', threshold: 2 }, false, { output: 'sitting' }],
    [{ type: 'similar', value: ANSWER.output }, true],
    [{ type: 'similar', value: ['x', 'y'] }, false],
    [{ type: 'similar', value: 'x', threshold: 0.4 }, true],
    [{ type: 'llm-rubric', value: 'nine' }, true],
    [{ type: 'llm-rubric', value: 'nine', threshold: 0.8 }, false],
    [{ type: 'llm-rubric', value: 'ten' }, false],
    [{ type: 'latency', threshold: 120 }, true],
    [{ type: 'latency', threshold: 119 }, false],
    [{ type: 'cost', threshold: 0.0015 }, true],
    [{ type: 'cost', threshold: 0.0014 }, false],
  ])('%j gives %s, and its opposite the opposite', async (assertion, holds, answer) => {
    expect((await one(assertion, answer)).pass).toBe(holds);
    const { type } = assertion as { readonly type: string };
    expect((await one({ ...assertion, type: `not-${type}` }, answer)).pass).toBe(!holds);
  });

  it('about a figure that nobody knows passes neither way', async () => {
    const unknown = { costMicrodollars: null, latencyMs: undefined };
    for (const type of ['cost', 'not-cost', 'latency', 'not-latency'])
      expect(await one({ type, threshold: 1 }, unknown)).toMatchObject({ pass: false, score: 0 });
  });

  it.each<[object]>([
    [{ type: 'contains', value: '{{name}}' }],
    [{ type: 'starts-with', value: '{{name}}' }],
    [{ type: 'icontains-any', value: ['nowhere', '{{name}}'] }],
    [{ type: 'contains-all', value: ' , ,' }],
  ])('with an empty value passes neither way: %j', async (assertion) => {
    const { type } = assertion as { readonly type: string };
    for (const either of [type, `not-${type}`]) {
      const { pass, results } = await assess({
        variables: { name: '' },
        assert: [{ ...assertion, type: either }],
      });
      expect([pass, results[0]?.reason]).toEqual([false, 'the value is empty']);
    }
  });

  it('fills in variables of its case, once', async () => {
    const variables = { place: '{{time}}', time: 'nine' };
    expect((await assess({ variables, assert: [{ type: 'contains', value: 'at {{ time }}' }] })).pass).toBe(
      true,
    );
    const { results } = await assess({ variables, assert: [{ type: 'contains', value: '{{place}}' }] });
    expect(results[0]).toMatchObject({ pass: false, reason: 'expected the output to contain "{{time}}"' });
  });
});

describe('several assertions', () => {
  const right = { type: 'contains', value: 'nine' };
  const wrong = { type: 'contains', value: 'ten' };

  it('pass together, or by their weighted mean where there is a threshold', async () => {
    expect(await assess({ assert: [right, wrong] })).toMatchObject({ pass: false, score: 0.5 });
    expect(await assess({ threshold: 0.5, assert: [right, wrong] })).toMatchObject({ pass: true });
    const weighted = [
      { ...right, weight: 1 },
      { ...wrong, weight: 3 },
    ];
    expect(await assess({ threshold: 0.5, assert: weighted })).toMatchObject({ pass: false, score: 0.25 });
  });

  it('fail with one that is critical, whatever the mean is', async () => {
    const assert = [right, right, right, { ...wrong, critical: true }];
    expect(await assess({ threshold: 0.5, assert })).toMatchObject({ pass: false, score: 0.75 });
  });

  it('are one within a set', async () => {
    const set = { type: 'assert-set', threshold: 0.5, metric: 'wording', assert: [right, wrong] };
    const { pass, score, results } = await assess({ assert: [set, right] });
    expect([pass, score]).toEqual([true, 0.75]);
    expect(results[0]).toMatchObject({ metric: 'wording', pass: true, score: 0.5 });
    expect((await assess({ assert: [{ ...set, threshold: undefined }] })).pass).toBe(false);
  });
});

describe('the distance of two texts', () => {
  /** By the whole table. */
  function whole(one: string, other: string): number {
    let above = Array.from({ length: other.length + 1 }, (_, at) => at);
    for (let row = 1; row <= one.length; row += 1) {
      const current = [row];
      for (let at = 1; at <= other.length; at += 1)
        current.push(
          Math.min(
            above[at - 1]! + (one[row - 1] === other[at - 1] ? 0 : 1),
            above[at]! + 1,
            current[at - 1]! + 1,
          ),
        );
      above = current;
    }
    return above.at(-1)!;
  }

  it('is exact up to its limit, and one more beyond', () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', '😀') });
    fc.assert(
      fc.property(text, text, fc.nat({ max: 14 }), (one, other, limit) => {
        expect(editDistance(one, other, limit)).toBe(Math.min(whole(one, other), limit + 1));
      }),
    );
  });
});

describe('JSON within a text', () => {
  it.each<[string, readonly unknown[]]>([
    ['no {json} here', []],
    ['a {"a": "}"} b {"b": {"c": 1}}', [{ a: '}' }, { b: { c: 1 } }]],
    ['{ {"a": 1}', [{ a: 1 }]],
    ['{"a": 1', []],
  ])('of %s is %j', (text, found) => expect(findJsonObjects(text)).toEqual(found));

  it('ends in time for a text of nothing but braces', () => {
    const startedMs = performance.now();
    findJsonObjects('{'.repeat(200_000));
    findJsonObjects('{"'.repeat(100_000));
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});

describe('a list as one text', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['a, b ,c', ['a', 'b', 'c']],
    [' , a,, b', ['a', 'b']],
    ['"a, b", c', ['a, b', 'c']],
    ['"say ""hi""", "back\\"slash"', ['say "hi"', 'back"slash']],
    ['"open', undefined],
    ['"a" b', undefined],
  ])('%s', (text, list) => expect(splitValues(text)).toEqual(list));
});
