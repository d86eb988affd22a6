// What is said of an answer that misses its schema: where, in the operator's own words, and nothing that anybody else wrote.
import { describe, expect, it } from 'vitest';
import { validateJson } from '../../../adapters/schema/validate-json.ts';
import { describeMismatch } from '../../../core/flow/answer-mismatch.ts';
import type { FinishReason, RequestMember } from '../../../core/ports/providers.ts';
import type { JsonObject } from '../../../core/text/json.ts';

const schema = {
  type: 'object',
  properties: {
    lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
  },
  required: ['lines'],
  additionalProperties: false,
};

function described(
  answer: unknown,
  finish: FinishReason = 'stop',
  ofCaller: RequestMember[] = [],
  asked: JsonObject = schema,
) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const result = { text, finish, usage: undefined, modelVersion: undefined };
  const call = { request: { schema: { name: 'output', schema: asked } }, ofCaller: new Set(ofCaller) };
  return describeMismatch(result, call, validateJson, () => undefined);
}

describe('an answer', () => {
  it.each<[unknown, string | undefined]>([
    [{ lines: [] }, undefined],
    [{ lines: [{ amount: 1 }, { amount: 'x' }] }, 'does not fit the schema at /lines/1/amount'],
    [{}, 'does not fit the schema at /'],
    ['no JSON', 'does not fit the schema at /'],
    [{ lines: [], 'card 4111': 1 }, 'does not fit the schema at /*'],
    [{ lines: [], '4111111111111111': 1 }, 'does not fit the schema at /*'],
  ])('%j: %s', async (answer, text) => {
    expect(await described(answer)).toBe(text);
  });

  it("tells no name of a caller's schema", async () => {
    expect(await described({ lines: [{ amount: 'x' }] }, 'stop', ['schema'])).toBe(
      'does not fit the schema at /*/0/*',
    );
  });

  it('that was cut says so', async () => {
    expect(await described('{"lines":[', 'length')).toBe('was cut by maxTokens before it fit the schema');
  });

  it('that was cut before it fit the schema of a caller is what the caller asked for', async () => {
    expect(await described('{"lines":[', 'length', ['schema'])).toBeUndefined();
  });

  it.each<FinishReason>(['toolCalls', 'filtered'])('that ended by %s has nothing to fit', async (finish) => {
    expect(await described('I cannot.', finish)).toBeUndefined();
  });
});

describe('a schema that takes too long to check', () => {
  const endless = { anyOf: [{ $ref: '#' }, { $ref: '#' }] };

  it('is a mistake of the caller who sent it', async () => {
    await expect(described({}, 'stop', ['schema'], endless)).rejects.toMatchObject({
      code: 'invalid_input',
      param: 'responseFormat.json_schema.schema',
      detail:
        '"responseFormat.json_schema.schema" takes too long to check against an answer: make it simpler.',
    });
  });

  it('is one of the settings otherwise', async () => {
    await expect(described({}, 'stop', [], endless)).rejects.toMatchObject({
      code: 'configuration',
      reason: 'outputSchema takes too long to check: make it simpler',
    });
  });
});
