// The stage setting `bedrock`: what the role may call by region, each thing by its name.
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';

const parse = (entry: object) => parseStage({ ...dev, bedrock: [{ region: 'us-east-1', ...entry }] });

describe('what a stage allows on Bedrock', () => {
  it('is taken as it is written', () => {
    const entry = {
      region: 'us-east-1',
      models: ['a.b'],
      guardrails: ['abc123'],
      guardrailProfiles: ['us.guardrail.v1:0'],
      guardrailChecks: true,
    };
    expect(parse(entry).bedrock).toEqual([entry]);
    expect(parse({ guardrailChecks: true }).bedrock).toEqual([
      { region: 'us-east-1', guardrailChecks: true },
    ]);
  });

  it.each([
    [{}, 'bedrock[0]: must allow something: models, guardrails, guardrailChecks'],
    [{ guardrailChecks: false }, 'bedrock[0]: must allow something'],
    [{ guardrailProfiles: ['us.guardrail.v1:0'] }, 'bedrock[0]: must allow something'],
    [{ guardrails: [] }, 'bedrock[0].guardrails: must name at least one guardrail'],
    [{ guardrails: ['*'] }, 'bedrock[0].guardrails[0]: must be the id of a guardrail of this account'],
    [
      { guardrails: ['a1'], guardrailProfiles: ['us.*'] },
      'bedrock[0].guardrailProfiles[0]: must be the id of a guardrail profile of AWS',
    ],
    [{ guardrailChecks: 'yes' }, 'bedrock[0].guardrailChecks: must be true or false'],
  ])('is refused as %j', (entry, message) => {
    expect(() => parse(entry)).toThrow(message);
  });
});
