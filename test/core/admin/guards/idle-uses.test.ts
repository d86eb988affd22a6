// Warnings of `validate` about guards that can do nothing.
import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { validate } from '../validate/validate-text.ts';

interface Parts {
  readonly mandatory?: string;
  readonly accepts?: string;
  readonly flow?: string;
}

const ORGANIZATION = `organization: acme
providers: { demo: { type: echo }, openai: { type: openai, apiKey: { secret: key } } }
guards: { pii: { type: pii, entities: [email] }, tricks: { type: phrases } }
`;

function warningsOf(uses: string, { mandatory, accepts = '[]', flow }: Parts = {}): string[] {
  const call = accepts === '[]' ? '' : `, accepts: ${accepts}`;
  const steps = flow ?? `[{ callModel: { provider: demo, model: m${call} } }]`;
  const text = [
    `${ORGANIZATION}${mandatory === undefined ? '' : `mandatory: [${mandatory}]\n`}`,
    `neuron: acme/n\naccess: { apiKey: true }\nguards: [${uses}]\nflow: ${steps}\n`,
  ].join('---\n');
  const { errors, warnings } = validate(text);
  expect(errors).toEqual([]);
  return warnings.map(renderDiagnostic).filter((line) => line.includes('guards'));
}

describe('a guard whose stages have no text', () => {
  it.each([
    ['[toolCalls]', 'calls of tools: no step has `accepts: [tools]`'],
    ['[toolResults, toolCalls]', 'results of tools: no step has `accepts: [tools]`'],
    ['[system]', 'system texts: no step has `accepts: [system]`'],
    ['[tools]', 'tools or schemas: no step has `accepts: [tools]` or `accepts: [schema]`'],
  ])('is warned of on %s', (on, message) => {
    const use = `{ use: pii, on: ${on}, action: redact }`;
    expect(warningsOf(use)).toEqual([
      expect.stringContaining(`guards[0].on: can never act, since this neuron has no ${message}`),
    ]);
    expect(warningsOf(use, { accepts: '[system, tools]' })).toEqual([]);
  });

  it('is not warned of where one of its stages has some', () => {
    expect(warningsOf('{ use: pii, action: redact }')).toEqual([]);
    expect(warningsOf('{ use: pii, on: [output, toolCalls], action: redact }')).toEqual([]);
  });
});

describe('a guard of a neuron that answers with vectors', () => {
  const flow = '[{ embed: { provider: openai, model: text-embedding-3-small } }]';

  it('is warned of on the output, and of a text that no vector can be', () => {
    expect(warningsOf('{ use: pii, on: [output], action: redact }', { flow })).toEqual([
      expect.stringContaining('can never act, since this neuron has no texts of a model'),
    ]);
    expect(warningsOf('{ use: pii, on: [input], action: block, text: No. }', { flow })).toEqual([
      expect.stringContaining('guards[0].text: is never sent'),
    ]);
    expect(warningsOf('{ use: pii, on: [input], action: mask }', { flow })).toEqual([
      expect.stringContaining('guards[0].action: is mask, and no value ever comes back'),
    ]);
  });
});

describe('a mask', () => {
  it('is warned of where nothing puts its values back', () => {
    const lost = expect.stringContaining('is mask, and no value ever comes back');
    expect(warningsOf('{ use: pii, on: [input], action: mask, restore: [] }')).toEqual([lost]);
    expect(warningsOf('{ use: pii, on: [input], action: mask, restore: [toolCalls] }')).toEqual([lost]);
    const tools = { accepts: '[tools]' };
    expect(warningsOf('{ use: pii, on: [input], action: mask, restore: [toolCalls] }', tools)).toEqual([]);
    expect(warningsOf('{ use: pii, on: [input], action: mask }')).toEqual([]);
  });
});

describe('a guard that is there twice', () => {
  const mandatory = '{ use: pii, on: [input, output], action: redact }';

  it.each([
    ['{ use: pii, on: [input], action: flag }', 'with redact, which counts more'],
    ['{ use: pii, on: [input, system], action: mask }', 'with redact, which counts more'],
    ['{ use: pii, on: [output, toolCalls], action: redact }', 'with the same action'],
  ])('is warned of where the organization has it as strictly: %s', (use, more) => {
    expect(warningsOf(use, { mandatory, accepts: '[system, tools]' })).toEqual([
      expect.stringContaining(
        `guards[0]: has no effect: of pii, the organization has it on every neuron on all these stages ${more}`,
      ),
    ]);
  });

  it.each([
    ['does more', '{ use: pii, on: [input], action: block }'],
    ['looks further', '{ use: pii, on: [input, toolResults], action: redact }'],
    ['is another guard', '{ use: tricks, on: [input], action: flag }'],
  ])('is not warned of where it %s', (_name, use) => {
    expect(warningsOf(use, { mandatory, accepts: '[tools]' })).toEqual([]);
  });

  it('keeps a use that refuses what the other lets through unseen', () => {
    const lenient = '{ use: pii, on: [input], action: redact, unseen: allow }';
    const strict = '{ use: pii, on: [input], action: redact, unseen: refuse }';
    expect(warningsOf(strict, { mandatory: lenient })).toEqual([]);
    // What is mandatory refuses by default.
    expect(warningsOf(strict, { mandatory: '{ use: pii, on: [input], action: redact }' })).toHaveLength(1);
  });

  it('is warned of once in a list of its own, wherever the stronger one stands', () => {
    const flag = '{ use: pii, on: [input], action: flag }';
    const block = '{ use: pii, on: [input], action: block }';
    expect(warningsOf(`${flag}, ${block}`)).toEqual([expect.stringContaining('guards[0]: has no effect')]);
    expect(warningsOf(`${block}, ${flag}`)).toEqual([expect.stringContaining('guards[1]: has no effect')]);
    expect(warningsOf(`${flag}, ${flag}`)).toEqual([expect.stringContaining('guards[1]: has no effect')]);
  });
});
