// Guards: what `apply` says of a use that names none, or asks for what its guard cannot do.
import { describe, expect, it } from 'vitest';
import { errors } from './validate-text.ts';

const LIBRARY = `guards:
  pii: { type: pii, entities: [email] }
  secrets: { type: secrets }
`;
const ORGANIZATION =
  'organization: acme\nproviders: { demo: { type: echo }, claude: { type: anthropic, apiKey: { secret: key } } }\n';
const FLOW = 'flow:\n  - callModel: { provider: demo, model: echo-1 }\n';
const PASSED =
  'flow:\n  - callModel: { provider: claude, model: claude-sonnet-4-6, accepts: [passThrough] }\n';
const documents = (use: string, { library = LIBRARY, flow = FLOW, mandatory = '' } = {}) =>
  `${ORGANIZATION}${library}${mandatory}---\nneuron: acme/n\naccess: { apiKey: true }\nguards: [${use}]\n${flow}`;

describe('the guards of a neuron', () => {
  it.each([
    '{ use: pii, action: redact }',
    '{ use: pii, on: [input, system, toolResults, tools], action: mask, restore: [output, toolCalls] }',
    '{ use: pii, on: [output, toolCalls], action: block, text: No., unseen: refuse }',
    '{ use: secrets, action: flag, fingerprints: true }',
  ])('may be %s', (use) => {
    expect(errors(documents(use))).toEqual([]);
  });

  it.each([
    ['{ use: unknown, action: flag }', 'use: is no guard of the organization, which has pii, secrets'],
    ['{ use: secrets, on: [input], action: mask }', 'action: cannot be mask for secrets'],
    ['{ use: pii, action: mask }', 'on: has output, and a mask is of what a caller sends'],
    ['{ use: pii, on: [toolCalls], action: mask }', 'on: has toolCalls'],
    ['{ use: pii, action: redact, text: x }', 'text: is the answer of a run that is blocked'],
    ['{ use: pii, action: block, restore: [output] }', 'restore: says where masks come back'],
    ['{ use: pii, action: hide }', 'action: must be one of block, redact, mask, flag'],
    ['{ use: pii, action: flag, on: [inputs] }', 'on[0]: must be one of input'],
    ['{ use: pii, action: flag, unsee: allow }', 'unsee'],
    ['{ use: pii, action: flag, fingerprints: 1 }', 'fingerprints'],
  ])('may not be %s', (use, message) => {
    expect(errors(documents(use))).toEqual([expect.stringContaining(message)]);
  });

  it('have no fingerprints of what a service finds', () => {
    const library =
      'guards: { ours: { type: webhook, endpoint: "https://guard.acme.example", secret: { secret: s } } }\n';
    const use = '{ use: ours, action: block, fingerprints: true }';
    expect(errors(documents(use, { library }))).toEqual([
      expect.stringContaining('fingerprints: counts for guards in the process, and ours is by a service'),
    ]);
  });

  it('may not act where requests are passed on, nor may mandatory ones', () => {
    const own = documents('{ use: pii, on: [input], action: redact }', { flow: PASSED });
    expect(errors(own)).toEqual([expect.stringContaining('which the guard pii could not change or stop')]);
    const mandatory = 'mandatory: [{ use: secrets, action: block }]\n';
    const flagged = '{ use: pii, on: [input], action: flag }';
    expect(errors(documents(flagged, { flow: PASSED, mandatory }))).toEqual([
      expect.stringContaining('the guard secrets'),
    ]);
    expect(errors(documents(flagged, { flow: PASSED }))).toEqual([]);
  });
});

describe('the library', () => {
  it.each([
    ['guards: { a: { type: pii, entities: [] } }\n', 'entities'],
    [
      'guards: { a: { type: pii, entities: [name] } }\n',
      'must be one of email, card, iban, usSsn, ip, phone, nationalId',
    ],
    [
      'guards: { a: { type: pii, entities: [nationalId] } }\n',
      'has nationalId, which needs the countries: add regions, of AU, BE',
    ],
    [
      'guards: { a: { type: pii, entities: [email], regions: [DE] } }\n',
      'counts with nationalId and phone alone: add one to entities',
    ],
    [
      'guards: { a: { type: pii, entities: [nationalId], regions: [XX] } }\n',
      'must be a country with a numbering plan of its own, such as DE or US',
    ],
    [
      'guards: { a: { type: pii, entities: [nationalId], regions: [DE, AT] } }\n',
      'regions[1]: has no national number that can be checked: those are AU,',
    ],
    ['guards: { a: { type: schema, schema: { type: text } } }\n', 'guards.a.schema: must be a JSON Schema'],
    ['guards: { a: { type: schema } }\n', 'guards.a.schema'],
    ['guards: { a: { type: secret } }\n', 'did you mean secrets?'],
    [
      'guards: { a: { type: patterns, deny: ["(a"] } }\n',
      'guards.a.deny[0]: is not a pattern that RE2 takes',
    ],
    ['guards: { a: { type: patterns, deny: ["(?:a{1000}){1000}"] } }\n', 'guards.a.deny[0]'],
    ['guards: { A: { type: secrets } }\n', 'guards'],
  ])('may not be %s', (library, message) => {
    const found = errors(documents('', { library }));
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  it('may not be named by mandatory what it has not', () => {
    const mandatory = 'mandatory: [{ use: other, action: block }]\n';
    expect(errors(documents('', { mandatory }))).toEqual([
      expect.stringContaining('mandatory[0].use: is no guard of the organization'),
    ]);
  });
});
