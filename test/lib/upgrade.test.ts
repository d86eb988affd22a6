// An upgrade from the templates of the release before (kept by keep-templates.ts): nothing that holds data, or is an address, may be lost.
import { describe, expect, it } from 'vitest';
import { losses, REPLACED_BY } from './losses.ts';
import { OPTIONS, settingsOf } from './optional-settings.ts';
import { keptTemplate, synthesize, synthesizeAnew, type Template } from './synthesized.ts';

const STACKS = [
  ['data', 'dev'],
  ['data', 'prod'],
  ['api', 'dev'],
  ['api', 'prod'],
] as const;

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

const now = { dev: synthesize('dev'), prod: synthesize('prod') };

describe('an upgrade from the previous release', () => {
  it.each(STACKS)('of the %s stack in %s replaces and removes no durable resource', (stack, stage) => {
    expect(losses(keptTemplate(stack, stage), now[stage][stack])).toEqual([]);
  });

  it.each(STACKS)('of the %s stack in %s keeps the protection of resources', (stack, stage) => {
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries(
      keptTemplate(stack, stage).Resources,
    )) {
      if (!isRetained(DeletionPolicy)) continue;
      // `RetainExceptOnCreate` is `Retain` for every resource that exists.
      expect([id, isRetained(now[stage][stack].Resources[id]?.DeletionPolicy)]).toEqual([id, true]);
      expect([id, now[stage][stack].Resources[id]?.UpdateReplacePolicy]).toEqual([id, UpdateReplacePolicy]);
    }
  });

  it('finds nothing to do after itself: the templates of all optional settings are the same a second time', () => {
    // Of two options with the same setting the last one holds.
    const all = settingsOf(Object.keys(OPTIONS), undefined);
    for (const stage of ['dev', 'prod'])
      expect(synthesizeAnew(stage, all)).toEqual(synthesizeAnew(stage, all));
  });

  it('fails this test where it loses a resource', () => {
    const before = keptTemplate('data', 'prod');
    const { ConfigTable: _, ...others } = before.Resources;
    expect(losses(before, { ...before, Resources: others })).toEqual(['ConfigTable is removed']);
    const otherKey = changed(before, 'KeysTable', { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] });
    expect(losses(before, otherKey)).toEqual(['KeysTable is replaced: KeySchema changed']);
    expect(losses(before, changed(before, 'LogsTable', { TableName: 'logs' }))).toEqual([
      'LogsTable is replaced: TableName changed',
    ]);
  });

  it('was checked for every durable type', () => {
    const kept = STACKS.flatMap(([stack, stage]) =>
      Object.values(keptTemplate(stack, stage).Resources),
    ).filter(({ DeletionPolicy }) => isRetained(DeletionPolicy));
    const checked = new Set([...Object.keys(REPLACED_BY), 'AWS::ApiGateway::Account', 'AWS::IAM::Role']);
    expect(kept.map(({ Type }) => Type).filter((type) => !checked.has(type))).toEqual([]);
  });
});
