// The guardrail of a step: on Bedrock alone, in regions where the stage allows it, and never beside requests that are passed on.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic, splitBySeverity } from '../../../../core/admin/diagnostic.ts';
import { validateDocuments } from '../../../../core/admin/validate/documents.ts';

const GRANT = { region: 'us-east-1', models: ['a.b', 'a.claude'], guardrails: ['abc123'] };

function errors(call: string, allowed: readonly (typeof GRANT)[] = [GRANT]): readonly string[] {
  const yaml = `organization: acme
providers: { aws: { type: bedrock, region: us-east-1 }, demo: { type: echo } }
---
neuron: acme/hello
access: { public: true }
flow: [{ callModel: ${call} }]
`;
  const { diagnostics } = validateDocuments(parseYaml('a.yaml', yaml).documents, {
    addresses: { allowLoopback: false },
    maxDeadlineMs: 120_000,
    transferMode: 'STREAM',
    bedrock: { stage: 'prod', allowed },
    stored: new Map(),
    complete: true,
  });
  return splitBySeverity(diagnostics).errors.map(renderDiagnostic);
}

const OWN = 'guardrail: { id: abc123, version: "3" }';

describe('the guardrail of a step', () => {
  it('is taken where the stage allows it', () => {
    expect(errors(`{ provider: aws, model: a.b, ${OWN} }`)).toEqual([]);
  });

  it('is refused where the stage does not, with the line that does', () => {
    expect(errors(`{ provider: aws, model: a.b, ${OWN} }`, [{ ...GRANT, guardrails: ['other'] }])).toEqual([
      expect.stringContaining(
        "guardrail.id: may not be applied in us-east-1 by this stage: have `bedrock: [{ region: 'us-east-1', models: ['a.b', 'a.claude'], guardrails: ['other', 'abc123'] }],`",
      ),
    ]);
  });

  it.each([
    `{ provider: demo, model: echo-1, ${OWN} }`,
    `{ provider: aws, model: a.b, fallbacks: [{ provider: demo, model: echo-1 }], ${OWN} }`,
    `{ targets: [{ provider: aws, model: a.b }, { provider: demo, model: echo-1 }], ${OWN} }`,
  ])('is refused where a model is elsewhere: %s', (call) => {
    expect(errors(call)).toEqual([
      expect.stringContaining('guardrail: is applied by Bedrock alone, and the step asks demo of type echo'),
    ]);
  });

  it('is refused beside requests that are passed on, and as a draft', () => {
    expect(errors(`{ provider: aws, model: a.claude, accepts: [passThrough], ${OWN} }`)).toEqual([
      expect.stringContaining('guardrail: would not count for requests that are passed on'),
    ]);
    expect(errors('{ provider: aws, model: a.b, guardrail: { id: abc123, version: DRAFT } }')).toEqual([
      expect.stringContaining('guardrail.version: must be the number of a version'),
    ]);
  });
});
