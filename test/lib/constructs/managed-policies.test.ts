// Managed policies as outputs: which there are, that each is what its grant gives, and that each fits IAM's quota.
import { describe, expect, it } from 'vitest';
import type { StageSettings } from '../../../lib/config/config.ts';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { OPTIONS, REGION, settingsOf } from '../optional-settings.ts';
import { type Resource, resourcesOf, synthesize, type Template } from '../synthesized.ts';

/** IAM counts what is no white space (IAM/latest/UserGuide/reference_iam-quotas.html). */
const QUOTA = 6144;

/** The policies by the names of their outputs. */
function policiesOf({ Outputs, Resources }: Template): Record<string, Resource> {
  const named = Object.entries(Outputs).filter(([name]) => name.includes('Policy'));
  return Object.fromEntries(
    named.map(([name, { Value }]) => [name, Resources[(Value as { readonly Ref: string }).Ref]!]),
  );
}

function documentOf({ Properties }: Resource): string {
  return JSON.stringify(Properties['PolicyDocument']);
}

/** A document as IAM gets it, with the longest names: a stage of 20 characters, in the region and the partition with the longest names. */
function resolvedDocument(resource: Resource): string {
  const table = `arn:aws-us-gov:dynamodb:ap-northeast-1:111122223333:table/NeuronData-${'s'.repeat(20)}-CountersTable-${'A'.repeat(13)}`;
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { 'Fn::Join': join, ...rest } = value as { readonly 'Fn::Join'?: readonly [string, unknown[]] };
    if (join !== undefined) return join[1].map(resolve).join(join[0]);
    if ('Fn::ImportValue' in rest || 'Fn::GetAtt' in rest) return table;
    if ('Ref' in rest) return 'aws-us-gov-account-region';
    return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, resolve(inner)]));
  };
  return JSON.stringify(resolve(resource.Properties['PolicyDocument']));
}

const withAuthors = (authors: Record<string, string[]>): Partial<StageSettings> => ({
  managedPolicies: { authors },
});

/** So many slugs of a length. */
const slugs = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `${'a'.repeat(length - 3)}${index + 100}`);

describe('the managed policies of a stage', () => {
  it('are outputs of the deployed stages, one for each role', () => {
    for (const stage of ['dev', 'prod'])
      expect(Object.keys(policiesOf(synthesize(stage).api))).toEqual([
        'OperatorPolicy',
        'AuditorPolicy',
        'ViewerPolicy',
        'AuthorPolicy',
        'KeysPolicy',
        'RestorePolicy',
        'ExportPolicy',
        'ErasePolicy',
      ]);
  });

  it('are not made for a stage without the setting', () => {
    const { api } = synthesize('dev', { managedPolicies: undefined });
    expect(resourcesOf(api, 'AWS::IAM::ManagedPolicy')).toEqual([]);
    expect(policiesOf(api)).toEqual({});
  });

  it('are attached to nobody, and have no name, path or description, whose change would make others', () => {
    for (const { Properties } of Object.values(policiesOf(synthesize('prod').api)))
      expect({ ...Properties, PolicyDocument: {} }).toEqual({
        Description: '',
        Path: '/',
        PolicyDocument: {},
      });
  });

  it('bind authors of a group to its organizations', () => {
    const { AuthorPolicyShopTeam, AuthorPolicy } = policiesOf(
      synthesize('dev', withAuthors({ shopTeam: ['shop', 'shop-eu'] })).api,
    );
    const partitions = (document: string) =>
      [...document.matchAll(/"dynamodb:LeadingKeys":(\[[^\]]*\]|"[^"]*")/g)].map(([, keys]) => keys);
    expect(partitions(documentOf(AuthorPolicyShopTeam!))).toEqual([
      '["ORG#shop","ORG#shop-eu"]',
      '"false"',
      '["SERVICE"]',
      '"false"',
      '["CHANGES#shop","CHANGES#shop-eu"]',
      '"false"',
    ]);
    expect(documentOf(AuthorPolicyShopTeam!)).not.toContain('Scan');
    expect(documentOf(AuthorPolicy!)).toContain('"ORG#*"');
  });

  it('have no wildcard in an action, and in a resource only those that the construct knows', () => {
    const { api } = synthesize('prod', settingsOf(Object.keys(OPTIONS), REGION));
    for (const [, resource] of resourcesOf(api, 'AWS::IAM::ManagedPolicy')) {
      const { Statement } = resource.Properties['PolicyDocument'] as {
        readonly Statement: readonly { readonly Action: unknown; readonly Resource: unknown }[];
      };
      for (const { Action, Resource } of Statement) {
        expect(JSON.stringify(Action)).not.toContain('*');
        if (JSON.stringify(Resource).includes('*'))
          expect(JSON.stringify([Action, Resource])).toMatch(
            /^\["cloudformation:DescribeStacks","\*"\]$|secretsmanager:.*:secret:neuron\/prod\/\*"/,
          );
      }
    }
  });

  it('fit the quota of a policy, with every option and the longest names', () => {
    const full = [slugs(29, 63), slugs(126, 8)];
    for (const organizations of full) {
      const { api } = synthesize('prod', {
        ...settingsOf(Object.keys(OPTIONS), REGION),
        ...withAuthors({ full: organizations }),
      });
      const lengths = resourcesOf(api, 'AWS::IAM::ManagedPolicy').map(
        ([, resource]) => resolvedDocument(resource).length,
      );
      expect(lengths).toHaveLength(9);
      expect(Math.max(...lengths)).toBeLessThan(QUOTA);
      // Nearly as long as it may be: the bound on slugs is not much smaller than it must be.
      expect(Math.max(...lengths)).toBeGreaterThan(QUOTA - 900);
    }
  });
});

describe('the setting managedPolicies', () => {
  const parse = (managedPolicies: unknown) => () => parseStage({ ...dev, managedPolicies });

  it.each([
    [slugs(30, 63), 'split it into two groups'],
    [[], 'must name at least one organization; AuthorPolicy is for all'],
    [['*'], 'must be a slug such as acme'],
    [['acme#x'], 'must be a slug such as acme'],
    ['acme', 'must be an object of lists of organizations, such as { shopTeam: [shop] }'],
  ])('takes no authors of %j', (organizations, message) => {
    expect(parse({ authors: { team: organizations } })).toThrow(message);
  });

  it.each([['Team'], ['a-b'], [''], ['x'.repeat(33)]])('takes no group named %j', (name) => {
    expect(parse({ authors: { [name]: ['acme'] } })).toThrow('managedPolicies.authors');
  });

  it('takes nothing but authors', () => {
    expect(parse({ operators: {} })).toThrow('managedPolicies');
    expect(parse(true)).toThrow('must be an object of settings, such as {} or { authors:');
  });
});
