// Guards by Bedrock that a stage's role may not ask are refused before a caller finds out, with the setting that would allow them.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic, splitBySeverity } from '../../../../core/admin/diagnostic.ts';
import { validateDocuments } from '../../../../core/admin/validate/documents.ts';
import type { BedrockGrants } from '../../../../core/admin/validate/places/bedrock.ts';

const ACME = `organization: acme
guards:
  house: { type: bedrock, guardrail: abc123, version: "3", region: us-east-1 }
  near: { type: bedrock, guardrail: def456, version: "1" }
  attack: { type: bedrockChecks, region: eu-north-1, promptAttack: { jailbreak: 0.7 } }
  words: { type: phrases }
`;

function validate(allowed: BedrockGrants | undefined, providerHosts?: readonly string[]) {
  const { diagnostics } = validateDocuments(parseYaml('a.yaml', ACME).documents, {
    addresses: { allowLoopback: false },
    maxDeadlineMs: 120_000,
    transferMode: 'STREAM',
    bedrock: allowed === undefined ? undefined : { stage: 'prod', allowed },
    providerHosts,
    stored: new Map(),
    complete: true,
  });
  return splitBySeverity(diagnostics);
}

const messages = (allowed: BedrockGrants) => validate(allowed).errors.map(renderDiagnostic);

const ALL = [
  { region: 'us-east-1', models: ['a.b'], guardrails: ['abc123'], guardrailProfiles: ['us.guardrail.v1:0'] },
  { region: 'eu-central-1', guardrails: ['def456'] },
  { region: 'eu-north-1', guardrailChecks: true },
];

describe('guards by Bedrock', () => {
  it('are taken where the stage allows each in its region', () => {
    expect(messages(ALL)).toEqual([]);
  });

  it('are refused with the whole line that allows them', () => {
    const line =
      "have `bedrock: [{ region: 'us-east-1', models: ['a.b'], guardrails: ['abc123'], guardrailProfiles: ['us.guardrail.v1:0'] }, " +
      "{ region: 'REGION', guardrails: ['def456'] }, { region: 'eu-north-1', guardrailChecks: true }],` in lib/stages/prod.ts, and deploy";
    expect(messages(ALL.slice(0, 1))).toEqual([
      `a.yaml:4:3: guards.near: asks the guardrail def456, which this stage may not: ${line}`,
      `a.yaml:5:3: guards.attack: asks checks of Bedrock in eu-north-1, which this stage may not: ${line}`,
    ]);
  });

  it('are refused where another region, or another guardrail, is allowed', () => {
    const elsewhere = [
      { region: 'eu-north-1', guardrails: ['abc123', 'def456'], guardrailChecks: false },
      { region: 'us-east-1', guardrails: ['other'], guardrailChecks: true },
    ];
    expect(messages(elsewhere).map((message) => message.slice(0, 70))).toEqual([
      expect.stringContaining('guards.house: asks the guardrail abc123 in us-east-1'),
      expect.stringContaining('guards.attack: asks checks of Bedrock in eu-north-1'),
    ]);
  });

  it('are warned of once where the stage is unknown', () => {
    const { errors, warnings } = validate(undefined);
    expect(errors).toEqual([]);
    expect(warnings.map(renderDiagnostic)).toEqual([
      expect.stringContaining('guards.house: is on Bedrock; whether the stage allows it was not checked'),
    ]);
  });

  it('are refused where the stage leaves the host of their region out', () => {
    const { errors } = validate(ALL, ['bedrock-runtime.us-east-1.amazonaws.com']);
    expect(errors.map(renderDiagnostic)).toEqual([
      expect.stringContaining('guards.attack.region: is on bedrock-runtime.eu-north-1.amazonaws.com'),
    ]);
  });
});

it('entities of checks are those that Bedrock has', () => {
  const yaml = `organization: acme
guards:
  attack: { type: bedrockChecks, region: eu-north-1, sensitiveInformation: { entities: [NAME, PERSON] } }
`;
  const { diagnostics } = validateDocuments(parseYaml('a.yaml', yaml).documents, {
    addresses: { allowLoopback: false },
    maxDeadlineMs: 120_000,
    transferMode: 'STREAM',
    bedrock: { stage: 'prod', allowed: [{ region: 'eu-north-1', guardrailChecks: true }] },
    stored: new Map(),
    complete: true,
  });
  expect(diagnostics.map(renderDiagnostic)).toEqual([
    expect.stringContaining(
      'guards.attack.sensitiveInformation.entities[1]: is no entity of Bedrock: those are ADDRESS',
    ),
  ]);
});
