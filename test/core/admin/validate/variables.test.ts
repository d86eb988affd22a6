// Variables in settings files: declarations that make no sense, and texts in which a caller would speak as the operator.
import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { acme, validate } from './validate-text.ts';

const CALL = 'callModel: { provider: demo, model: m, prompt: "{{a}} {{input}}" }';

function find(variables: string, flow = `[{ ${CALL} }]`) {
  const text = `${acme}---\nneuron: acme/hello\naccess: { apiKey: true }\nvariables: ${variables}\nflow: ${flow}\n`;
  const { errors, warnings } = validate(text);
  return [errors, warnings].map((list) => list.map(renderDiagnostic).join('\n'));
}

describe('declarations', () => {
  it.each([
    '{ a: { type: string } }',
    '{ a: { type: string, enum: [x, ""], default: "", description: A thing } }',
    '{ a: { type: string, maxLength: 3, default: abc, quoted: true } }',
    '{ a: { type: number, min: -1.5, max: 2, default: 0 } }',
    '{ a: { type: number, enum: [1, 2], required: true } }',
    '{ a: { type: boolean, default: false } }',
    '{}',
  ])('take %s', (variables) => {
    expect(
      find(variables, variables === '{}' ? '[{ callModel: { provider: demo, model: m } }]' : undefined),
    ).toEqual(['', '']);
  });

  it.each([
    ['{ a: { type: integer } }', '"integer" is no type: choose string, number or boolean'],
    ['{ a: { type: string, min: 1 } }', 'has the unknown member min'],
    ['{ a: { type: string, default: 1 } }', 'must be text of 0 to 100000 characters'],
    ['{ a: { type: string, default: b, required: true } }', 'would never count beside `required: true`'],
    ['{ a: { type: string, enum: [b], default: c } }', 'must be one of the values of enum'],
    ['{ a: { type: string, enum: [b, b] } }', 'must name each value once'],
    ['{ a: { type: string, enum: [] } }', 'enum'],
    [
      '{ a: { type: string, maxLength: 1, default: bc } }',
      'must have a default of at most maxLength characters',
    ],
    ['{ a: { type: number, default: 1e16 } }', 'must be a number from -1000000000000000 to 1000000000000000'],
    ['{ a: { type: number, min: 2, max: 1 } }', 'must have a min that is at most its max'],
    ['{ a: { type: number, min: 2, default: 1 } }', 'must have a default and an enum within min and max'],
    ['{ a: { type: number, max: 2, enum: [3] } }', 'must have a default and an enum within min and max'],
    ['{ a: { type: boolean, default: "true" } }', 'must be true or false'],
    ['{ input: { type: string } }', 'which {{…}} stands for already'],
    ['{ now: { type: string } }', 'which {{…}} stands for already'],
    ['{ model: { type: string } }', 'which {{…}} stands for already'],
    ['{ a.b: { type: string } }', 'must be a letter with up to 63 letters, digits or _'],
    [
      `{ ${Array.from({ length: 51 }, (_, index) => `v${index}: { type: boolean }`).join(', ')} }`,
      'must name at most 50',
    ],
  ])('refuse %s', (variables, message) => {
    expect(find(variables)[0]).toContain(message);
  });
});

describe('texts of a flow', () => {
  it('may hold the variables that are declared, and no others', () => {
    const [errors] = find('{ b: { type: string } }');
    expect(errors).toContain(
      'flow[0].callModel.prompt: has the unknown placeholder {{a}}; there are {{input}} {{output}} {{username}} {{execution.id}} {{now}} {{b}}',
    );
  });

  it.each([
    ['string', false],
    ['string, maxLength: 5', false],
    ['string, quoted: true', true],
    ['string, enum: [x]', true],
    ['number', true],
    ['boolean', true],
  ])('that instruct a model may hold a %s: %s', (type, isAllowed) => {
    const flow = `[{ systemInstructions: "{{a}}" }, { systemInstructions: { text: "{{ a }}", append: true } }, { ${CALL} }]`;
    const [errors = ''] = find(`{ a: { type: ${type} } }`, flow);
    expect(errors.match(/holds \{\{a\}\}, in which a caller may write anything/g) ?? []).toHaveLength(
      isAllowed ? 0 : 2,
    );
  });

  it('name a variable that none of them holds', () => {
    const [errors, warnings] = find('{ a: { type: string }, c: { type: string } }');
    expect([errors, warnings]).toEqual([
      '',
      expect.stringContaining('variables.c: is in no text of the flow'),
    ]);
  });

  it('warn of placeholders in examples', () => {
    const call = CALL.replace(' }', ', examples: [{ user: "{{a}} {{b}}", assistant: "{{now}}" }] }');
    const [errors, warnings = ''] = find('{ a: { type: string } }', `[{ ${call} }]`);
    expect(errors).toBe('');
    expect(warnings.match(/is sent as it is written/g)).toHaveLength(2);
  });
});

describe('neurons without a place for values', () => {
  it.each([
    ['[{ embed: { provider: demo, model: m } }]', 'have no place in a neuron that answers vectors'],
    [
      '[{ callModel: { provider: demo, model: claude, accepts: [passThrough] } }]',
      'would not reach a request that is passed on as it is',
    ],
  ])('refuse them: %s', (flow, message) => {
    expect(find('{ a: { type: boolean } }', flow)[0]).toContain(message);
  });

  it('refuse them without a flow', () => {
    const text = `${acme}---\nneuron: acme/hello\naccess: { apiKey: true }\nvariables: { a: { type: boolean } }\n`;
    expect(validate(text).errors.map(renderDiagnostic).join()).toContain('this document has no flow');
  });

  it('count no placeholder as tokens of the least call', () => {
    const name = 'a'.repeat(60);
    const limit = (tokens: number) =>
      `${acme}---\nneuron: acme/hello\naccess: { apiKey: true }\nrateLimits: [{ metric: tokens, scope: total, limit: ${tokens}, period: 1d }]\nvariables: { ${name}: { type: string } }\nflow: [{ callModel: { provider: demo, model: m, maxTokens: 10, prompt: "{{${name}}}" } }]\n`;
    expect(validate(limit(74)).errors).toEqual([]);
    expect(validate(limit(73)).errors).toHaveLength(1);
  });
});
