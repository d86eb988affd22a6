// An upgrade from the newest release: nothing that holds data or is an address is lost, and AWS refuses nothing.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { KEPT_STAGES, type KeptStage, keptRelease, keptTemplate, STACKS } from './kept-templates.ts';
import { losses } from './losses.ts';
import { OPTIONS, settingsOf } from './optional-settings.ts';
import { synthesize, synthesizeAnew, type Template } from './synthesized.ts';

const CASES = (Object.keys(KEPT_STAGES) as KeptStage[]).flatMap((stage) =>
  (Object.keys(STACKS) as (keyof typeof STACKS)[]).map((stack) => [stack, stage] as const),
);

function isRetained(policy: string | undefined): boolean {
  return policy === 'Retain' || policy === 'RetainExceptOnCreate';
}

function today(stack: keyof typeof STACKS, kept: KeptStage): Template {
  const { stage, overrides } = KEPT_STAGES[kept];
  return synthesize(stage, overrides)[stack];
}

describe('an upgrade from the newest release', () => {
  it.each(CASES)('of the %s stack of %s loses nothing, and is refused by nobody', (stack, stage) => {
    expect(losses(keptTemplate(stack, stage), today(stack, stage))).toEqual([]);
  });

  it.each(CASES)('of the %s stack of %s keeps the protection of resources', (stack, stage) => {
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries(
      keptTemplate(stack, stage).Resources,
    )) {
      if (!isRetained(DeletionPolicy)) continue;
      const now = today(stack, stage).Resources[id];
      // `RetainExceptOnCreate` is `Retain` for every resource that exists.
      expect([id, isRetained(now?.DeletionPolicy)]).toEqual([id, true]);
      expect([id, now?.UpdateReplacePolicy]).toEqual([id, UpdateReplacePolicy]);
    }
  });

  it('finds nothing to do after itself: the templates of all optional settings are the same a second time', () => {
    const all = settingsOf(Object.keys(OPTIONS), undefined);
    for (const stage of ['dev', 'prod'])
      expect(synthesizeAnew(stage, all)).toEqual(synthesizeAnew(stage, all));
  });

  it('starts at a release that the changelog names, the one of the package or the one before it', () => {
    const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
    const releases = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
    expect(releases[0]).toBe(packageJson.version);
    expect(releases.slice(0, 2)).toContain(keptRelease());
  });
});

/** A template with other properties of one resource. */
function changed(template: Template, id: string, change: (properties: Record<string, unknown>) => unknown) {
  const copy = structuredClone(template);
  change(copy.Resources[id]!.Properties as Record<string, unknown>);
  return copy;
}

interface Index {
  IndexName: string;
  KeySchema: object[];
  Projection: { NonKeyAttributes?: string[] };
  WarmThroughput?: object;
}

const indexesOf = (properties: Record<string, unknown>) => properties['GlobalSecondaryIndexes'] as Index[];

describe('an upgrade that loses something', () => {
  const data = keptTemplate('data', 'prod');
  const api = keptTemplate('api', 'prod');

  it.each<[string, Template, Template, readonly string[]]>([
    [
      'an attribute in the projection of an index',
      data,
      changed(data, 'LogsTable', (table) => indexesOf(table)[0]!.Projection.NonKeyAttributes!.push('more')),
      ['LogsTable is refused: Projection of byOrganization1 changed'],
    ],
    [
      'another key of an index',
      data,
      changed(data, 'LogsTable', (table) => indexesOf(table)[1]!.KeySchema.pop()),
      ['LogsTable is refused: KeySchema of byUsername1 changed'],
    ],
    [
      'an index under a new name in place of the old one',
      data,
      changed(data, 'KeysTable', (table) => {
        indexesOf(table)[0]!.IndexName = 'byOrganization2';
      }),
      ['KeysTable is refused: more than one index changed: byOrganization2,byOrganization1'],
    ],
    [
      'other dimensions of the vectors',
      data,
      changed(data, 'CacheTable', (table) => {
        (table['VectorIndexes'] as { Dimensions: number }[])[0]!.Dimensions = 1024;
      }),
      ['CacheTable is refused: VectorIndexes changed'],
    ],
    [
      'another attribute that ends an item',
      data,
      changed(data, 'LogsTable', (table) => {
        table['TimeToLiveSpecification'] = { AttributeName: 'endsAt', Enabled: true };
      }),
      ['LogsTable is refused: TimeToLiveSpecification changed'],
    ],
    [
      'another key of a table',
      data,
      changed(data, 'KeysTable', (table) => {
        table['KeySchema'] = [{ AttributeName: 'id', KeyType: 'HASH' }];
      }),
      ['KeysTable is replaced: KeySchema changed'],
    ],
    [
      'a key attribute of another type',
      data,
      changed(data, 'ConfigTable', (table) => {
        (table['AttributeDefinitions'] as { AttributeType: string }[])[0]!.AttributeType = 'N';
      }),
      ['ConfigTable is refused: the type of pk changed'],
    ],
    [
      'a name for a log group',
      api,
      changed(api, logGroupOf(api), (group) => {
        group['LogGroupName'] = 'named';
      }),
      [`${logGroupOf(api)} is replaced: LogGroupName changed`],
    ],
  ])('is found: %s', (_what, before, after, found) => {
    expect(losses(before, after)).toEqual(found);
  });

  it('is found where a table, a role or an output is gone, or where an export changes', () => {
    const without = (template: Template, id: string): Template => {
      const { [id]: _, ...Resources } = template.Resources;
      return { ...template, Resources };
    };
    expect(losses(data, without(data, 'ConfigTable'))).toEqual(['ConfigTable is removed']);
    const role = Object.keys(api.Resources).find((id) => api.Resources[id]!.Type === 'AWS::IAM::Role')!;
    expect(losses(api, without(api, role))).toEqual([`${role} is removed`]);
    const { ApiUrl: _, ...Outputs } = api.Outputs;
    expect(losses(api, { ...api, Outputs })).toEqual(['the output ApiUrl is removed']);
    const [id = ''] = Object.keys(data.Outputs);
    const renamed = { ...data, Outputs: { ...data.Outputs, [id]: { Value: 'another' } } };
    expect(losses(data, renamed)).toEqual([`the export ${id} changes while it is in use`]);
  });

  it('is not found in a table that gets one more index, or more warm throughput', () => {
    const more = changed(data, 'LogsTable', (table) => {
      indexesOf(table).push({ ...indexesOf(table)[3]!, IndexName: 'byExecution2' });
      table['WarmThroughput'] = { WriteUnitsPerSecond: 8000 };
    });
    expect(losses(data, more)).toEqual([]);
    const less = changed(more, 'LogsTable', (table) => {
      table['WarmThroughput'] = { WriteUnitsPerSecond: 4000 };
    });
    expect(losses(more, less)).toEqual(['LogsTable is refused: WriteUnitsPerSecond lowered']);
  });
});

function logGroupOf({ Resources }: Template): string {
  return Object.keys(Resources).find((id) => Resources[id]!.Type === 'AWS::Logs::LogGroup')!;
}
