// The tags of a stage are on every resource that AWS's specification says takes tags.
import { describe, expect, it } from 'vitest';
import { OPTIONS, REGION, settingsOf } from './optional-settings.ts';
import { tagProperty } from './resource-types.ts';
import { type Resource, resourcesOf, synthesize, type Template } from './synthesized.ts';

const TAGS = { costCenter: '4711', 'Data class': 'internal' };

/** Tags as an object; templates have lists of pairs or maps. */
function tagsOf({ Type, Properties }: Resource): Record<string, unknown> {
  const written =
    Type === 'AWS::DynamoDB::GlobalTable'
      ? (Properties['Replicas'] as { Tags?: object }[])[0]?.Tags
      : Properties[tagProperty(Type)!];
  if (!Array.isArray(written)) return (written ?? {}) as Record<string, unknown>;
  return Object.fromEntries(written.map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]));
}

function taggable({ Resources }: Template): [string, Resource][] {
  return Object.entries(Resources).filter(
    ([, { Type }]) => Type === 'AWS::DynamoDB::GlobalTable' || tagProperty(Type) !== undefined,
  );
}

describe('the tags of a stage', () => {
  it('are on every resource that takes tags, of a stage with every option', () => {
    const { data, api } = synthesize('prod', settingsOf(Object.keys(OPTIONS), REGION));
    const all = [...taggable(data), ...taggable(api)];
    const without = all.filter(([, one]) => {
      const tags = tagsOf(one);
      return Object.entries(TAGS).some(([name, value]) => tags[name] !== value);
    });
    expect(without.map(([id, { Type }]) => `${id} (${Type})`)).toEqual([]);
    // All kinds are there, or the test would look at nothing.
    expect(new Set(all.map(([, { Type }]) => Type)).size).toBeGreaterThan(12);
  });

  it('are nowhere without the setting', () => {
    const { data, api } = synthesize('prod');
    for (const [id, one] of [...taggable(data), ...taggable(api)])
      expect([id, Object.keys(tagsOf(one)).filter((name) => !name.startsWith('aws-cdk:'))]).toEqual([id, []]);
  });
});

describe('the deployment of the API', () => {
  it.each([
    ['functions', {}],
    ['aliases', { provisionedConcurrency: { authorizer: 1, execution: 1 } }],
  ])('waits for every permission to call its %s', (_kind, settings) => {
    const { api } = synthesize('dev', settings);
    const [[, deployment]] = Object.entries(api.Resources).filter(
      ([, { Type }]) => Type === 'AWS::ApiGateway::Deployment',
    ) as [[string, Resource & { readonly DependsOn: readonly string[] }]];
    const permissions = resourcesOf(api, 'AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com',
    );
    expect(permissions.length).toBeGreaterThan(4);
    expect(deployment.DependsOn).toEqual(expect.arrayContaining(permissions.map(([id]) => id)));
  });

  it('has permissions for its stage and routes alone', () => {
    const { api } = synthesize('dev');
    const sources = resourcesOf(api, 'AWS::Lambda::Permission')
      .filter(([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com')
      .map(([, { Properties }]) => JSON.stringify(Properties['SourceArn']));
    expect(sources.filter((source) => /\/(?:authorizers\/|dev\/(?:POST|GET)\/)/.test(source))).toEqual(
      sources,
    );
    expect(sources.some((source) => source.includes('/dev/POST/*/*"'))).toBe(true);
  });
});

describe('the logs of the firewall', () => {
  it('have blocked requests alone, and no credentials', () => {
    const { api } = synthesize('dev', { firewall: { requestsPerAddress: 600, logs: true } });
    const [[, logging]] = resourcesOf(api, 'AWS::WAFv2::LoggingConfiguration') as [[string, Resource]];
    expect(logging.Properties).toMatchObject({
      LoggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [{ Behavior: 'KEEP', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
      },
      RedactedFields: [
        { SingleHeader: { Name: 'authorization' } },
        { SingleHeader: { Name: 'cookie' } },
        { SingleHeader: { Name: 'x-api-key' } },
        { SingleHeader: { Name: 'x-preview-key' } },
        { QueryString: {} },
      ],
    });
    const groups = resourcesOf(api, 'AWS::Logs::LogGroup').map(
      ([, { Properties }]) => Properties['LogGroupName'],
    );
    expect(groups).toContain('aws-waf-logs-NeuronApi-dev');
    expect(
      resourcesOf(
        synthesize('dev', { firewall: { requestsPerAddress: 600 } }).api,
        'AWS::WAFv2::LoggingConfiguration',
      ),
    ).toEqual([]);
  });
});
