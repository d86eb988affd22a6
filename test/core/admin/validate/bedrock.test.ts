// Models on Bedrock that a stage's role may not call are refused before a caller finds out, with the setting that would allow them.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic, splitBySeverity } from '../../../../core/admin/diagnostic.ts';
import { validateDocuments } from '../../../../core/admin/validate/documents.ts';
import type { BedrockGrants } from '../../../../core/admin/validate/places/bedrock.ts';

const ACME = `organization: acme
providers:
  aws: { type: bedrock, region: us-east-1 }
  eu: { type: bedrock, region: eu-west-1 }
  demo: { type: echo }
---
neuron: acme/hello
access: { public: true }
`;

function errors(flow: string, allowed: BedrockGrants | undefined): string[] {
  return validate(flow, allowed).errors.map(renderDiagnostic);
}

function validate(flow: string, allowed: BedrockGrants | undefined) {
  const { diagnostics } = validateDocuments(parseYaml('a.yaml', `${ACME}${flow}`).documents, {
    addresses: { allowLoopback: false },
    maxDeadlineMs: 120_000,
    transferMode: 'STREAM',
    bedrock: allowed === undefined ? undefined : { stage: 'prod', allowed },
    stored: new Map(),
    complete: true,
  });
  return splitBySeverity(diagnostics);
}

const NOVA = 'us.amazon.nova-lite-v1:0';
const TITAN = 'amazon.titan-text-lite-v1';

describe('a flow that calls models on Bedrock', () => {
  it('is taken where the stage allows each model in its region', () => {
    const flow = `flow: [{ callModel: { provider: aws, model: "${NOVA}", fallbacks: [{ provider: eu, model: ${TITAN} }] } }]\n`;
    const allowed = [
      { region: 'us-east-1', models: [NOVA] },
      { region: 'eu-west-1', models: ['other.model', TITAN] },
    ];
    expect(errors(flow, allowed)).toEqual([]);
  });

  it('refuses every other model, in any step, with the whole line that allows them', () => {
    const flow = `flow:
  - ifInputContains:
      any: [x]
      then: [{ callModel: { provider: aws, model: "${NOVA}" } }]
  - callModel: { provider: demo, model: echo-1, fallbacks: [{ provider: eu, model: ${TITAN} }] }
`;
    const line =
      "have `bedrock: [{ region: 'us-east-1', models: ['amazon.old-v1', 'us.amazon.nova-lite-v1:0'] }, " +
      "{ region: 'eu-west-1', models: ['amazon.titan-text-lite-v1'] }],` in lib/stages/prod.ts, and deploy";
    expect(errors(flow, [{ region: 'us-east-1', models: ['amazon.old-v1'] }])).toEqual([
      `a.yaml:12:44: flow[0].ifInputContains.then[0].callModel.model: may not be called in us-east-1 by this stage: ${line}`,
      `a.yaml:13:77: flow[1].callModel.fallbacks[0].model: may not be called in eu-west-1 by this stage: ${line}`,
    ]);
  });

  it('refuses a model that is allowed in another region only', () => {
    const flow = `flow: [{ callModel: { provider: eu, model: ${TITAN} } }]\n`;
    expect(errors(flow, [{ region: 'us-east-1', models: [TITAN] }])).toEqual([
      expect.stringContaining('may not be called in eu-west-1'),
    ]);
  });

  it('refuses what the stage settings cannot name', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc';
    expect(errors(`flow: [{ callModel: { provider: aws, model: "${arn}" } }]\n`, [])).toEqual([
      expect.stringContaining('must be the id of a foundation model or of an inference profile of AWS'),
    ]);
  });

  it('is validated by the form of its id where the stage is unknown, which is said once', () => {
    const flow = `flow: [{ callModel: { provider: aws, model: ${TITAN} } }, { callModel: { provider: eu, model: ${TITAN} } }]\n`;
    expect(validate(flow, undefined).errors).toEqual([]);
    const warnings = (allowed: BedrockGrants | undefined) =>
      validate(flow, allowed)
        .warnings.map(renderDiagnostic)
        .filter((line) => line.includes('Bedrock'));
    expect(warnings(undefined)).toEqual([
      'a.yaml:9:38: flow[0].callModel.model: is on Bedrock; whether the stage allows it was not checked: `neuron apply --dry-run` checks it against a stack',
    ]);
    expect(warnings([])).toEqual([]);
    expect(
      errors('flow: [{ callModel: { provider: aws, model: "arn:aws:bedrock:x" } }]\n', undefined),
    ).toEqual([expect.stringContaining('must be the id of a foundation model')]);
  });
});

describe('a semantic cache that embeds on Bedrock', () => {
  it('refuses an embedding model that the stage does not allow', () => {
    const caching =
      'caching: { semantic: { embedding: { provider: aws, model: "amazon.titan-embed-text-v2:0" } } }\nflow: [{ stop: {} }]\n';
    expect(errors(caching, [])).toContainEqual(
      expect.stringContaining(
        "caching.semantic.embedding.model: may not be called in us-east-1 by this stage: have `bedrock: [{ region: 'us-east-1', models: ['amazon.titan-embed-text-v2:0'] }],`",
      ),
    );
  });
});
