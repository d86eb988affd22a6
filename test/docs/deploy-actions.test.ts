// docs/deploy-actions.json: the IAM actions of every type of resource that any setting of a stage makes, and no others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTIONS_BY_TYPE } from '../../bin/deploy-actions/actions-by-type.ts';
import { deployPolicy, typesOf } from '../../bin/deploy-actions/policy.ts';
import { coverPairs, OPTIONS, REGION, settingsOf } from '../lib/optional-settings.ts';
import { synthesize } from '../lib/synthesized.ts';

/** Few sets of settings that have each option once. */
function coverOptions(): string[][] {
  const missing = new Set(Object.keys(OPTIONS));
  return coverPairs().filter((set) => {
    const adds = set.some((name) => missing.has(name));
    for (const name of set) missing.delete(name);
    return adds;
  });
}

const templates = [
  synthesize('dev'),
  synthesize('prod'),
  ...coverOptions().map((set) => synthesize('dev', settingsOf(set, REGION))),
].flatMap(({ data, api }) => [data, api]);

describe('docs/deploy-actions.json', () => {
  it('is what the templates of every setting need', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/deploy-actions.json'), 'utf8');
    expect(JSON.parse(page)).toEqual(deployPolicy(typesOf(templates)));
  });

  it('has no actions of a type that no setting makes', () => {
    expect(Object.keys(ACTIONS_BY_TYPE)).toEqual(typesOf(templates));
  });

  it('reads and writes no data: neither items, nor secrets, nor what functions answer', () => {
    const text = JSON.stringify(deployPolicy(typesOf(templates)));
    expect(text).not.toMatch(
      /"dynamodb:(?:\w*Item|Query|Scan)"|secretsmanager|lambda:Invoke|logs:(?:Get|Filter)Log|\*"[,\]].*"[a-z]+:\*"/,
    );
    // `Describe*` is the one wildcard that AWS's schemas have here.
    expect([...text.matchAll(/"([a-z-]+:\w*\*)"/g)].map(([, action]) => action)).toEqual([
      'dynamodb:Describe*',
    ]);
  });

  it('fits a managed policy, which takes 6,144 characters', () => {
    expect(JSON.stringify(deployPolicy(typesOf(templates))).length).toBeLessThan(6144);
  });

  it('cannot be written for a type whose actions are unknown', () => {
    expect(() => deployPolicy(['AWS::Lambda::Function', 'AWS::SQS::Queue'])).toThrow(
      'actions-by-type.ts has no actions for AWS::SQS::Queue. Add those of its resource schema.',
    );
  });
});
