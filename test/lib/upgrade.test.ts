// An upgrade from the templates of the release before (kept by keep-templates.ts): nothing that holds data, or is an address, may be lost.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coverPairs, OPTIONS, settingsOf } from './optional-settings.ts';
import { type Resource, resourcesOf, synthesize, synthesizeAnew, type Template } from './synthesized.ts';

/**
 * By type, the properties whose change makes CloudFormation put a new resource in the place of the old one
 * ("Update requires: Replacement" in the template reference of each type). Members of a list are compared whole.
 */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  // An attribute may be added for an index; the key's may not change. Of stream and indexes some changes are refused, none replaces.
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::KMS::Key': [],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix', 'ObjectLockEnabled'],
  'AWS::SecretsManager::Secret': ['Name'],
};

const STACKS = [
  ['data', 'dev'],
  ['data', 'prod'],
  ['api', 'dev'],
  ['api', 'prod'],
] as const;

function previous(stack: string, stage: string): Template {
  const url = new URL(`./fixtures/previous/${stack}-${stage}.generated.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

/** What an update from one template to the other would lose, one line each. */
function losses(before: Template, after: Template): string[] {
  return Object.entries(REPLACED_BY).flatMap(([type, properties]) =>
    resourcesOf(before, type).flatMap(([id, old]) => {
      const now: Resource | undefined = after.Resources[id];
      if (now === undefined) return [`${id} is removed`];
      if (now.Type !== type) return [`${id} becomes another type`];
      return properties
        .filter((name) => JSON.stringify(old.Properties?.[name]) !== JSON.stringify(now.Properties?.[name]))
        .map((name) => `${id} is replaced: ${name} changed`);
    }),
  );
}

function isRetained(policy: string | undefined): boolean {
  return policy === 'Retain' || policy === 'RetainExceptOnCreate';
}

function changed(template: Template, id: string, properties: Readonly<Record<string, unknown>>): Template {
  const resource = template.Resources[id]!;
  return {
    ...template,
    Resources: {
      ...template.Resources,
      [id]: { ...resource, Properties: { ...resource.Properties, ...properties } },
    },
  };
}

function expectNoLosses(stage: 'dev' | 'prod', names: readonly string[]): void {
  const after = synthesize(stage, settingsOf(names, undefined));
  expect(losses(previous('data', stage), after.data)).toEqual([]);
  expect(losses(previous('api', stage), after.api)).toEqual([]);
}

const now = { dev: synthesize('dev'), prod: synthesize('prod') };

describe('an upgrade from the previous release', () => {
  it.each(STACKS)('of the %s stack in %s replaces and removes no durable resource', (stack, stage) => {
    expect(losses(previous(stack, stage), now[stage][stack])).toEqual([]);
  });

  it.each(STACKS)('of the %s stack in %s keeps the protection of resources', (stack, stage) => {
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries(
      previous(stack, stage).Resources,
    )) {
      if (!isRetained(DeletionPolicy)) continue;
      // `RetainExceptOnCreate` is `Retain` for every resource that exists.
      expect([id, isRetained(now[stage][stack].Resources[id]?.DeletionPolicy)]).toEqual([id, true]);
      expect([id, now[stage][stack].Resources[id]?.UpdateReplacePolicy]).toEqual([id, UpdateReplacePolicy]);
    }
  });

  it.each(Object.keys(OPTIONS))('in dev, together with the optional setting %s, loses nothing', (name) => {
    expectNoLosses('dev', [name]);
  });

  it.each(coverPairs())('in prod, together with %s, %s, …, loses nothing', (...names) => {
    expectNoLosses('prod', names);
  });

  it('finds nothing to do after itself: the templates of all optional settings are the same a second time', () => {
    // Of two options with the same setting the last one holds.
    const all = settingsOf(Object.keys(OPTIONS), undefined);
    for (const stage of ['dev', 'prod'])
      expect(synthesizeAnew(stage, all)).toEqual(synthesizeAnew(stage, all));
  });

  it('fails this test where it loses a resource', () => {
    const before = previous('data', 'prod');
    const { ConfigTable: _, ...others } = before.Resources;
    expect(losses(before, { ...before, Resources: others })).toEqual(['ConfigTable is removed']);
    const otherKey = changed(before, 'KeysTable', { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] });
    expect(losses(before, otherKey)).toEqual(['KeysTable is replaced: KeySchema changed']);
    expect(losses(before, changed(before, 'LogsTable', { TableName: 'logs' }))).toEqual([
      'LogsTable is replaced: TableName changed',
    ]);
  });

  it('was checked for every durable type', () => {
    const kept = STACKS.flatMap(([stack, stage]) => Object.values(previous(stack, stage).Resources)).filter(
      ({ DeletionPolicy }) => isRetained(DeletionPolicy),
    );
    const checked = new Set([...Object.keys(REPLACED_BY), 'AWS::ApiGateway::Account', 'AWS::IAM::Role']);
    expect(kept.map(({ Type }) => Type).filter((type) => !checked.has(type))).toEqual([]);
  });
});
