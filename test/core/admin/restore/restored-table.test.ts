// Which tables are not restored, and what a restored table lacks.
import { describe, expect, it } from 'vitest';
import {
  findLackingFeatures,
  findRestoredKind,
  type Restoration,
  rejectRestoration,
} from '../../../../core/admin/restore/restored-table.ts';
import { TABLES, type TableName } from '../../../../core/contract/tables.ts';
import type { TableState } from '../../../../core/ports/restoration.ts';

const ARN = 'arn:aws:dynamodb:eu-central-1:111122223333:table/';
const ALL_ON = { timeToLive: true, stream: true, pointInTimeRecovery: true, deletionProtection: true };

function state(name: string, kind: TableName, change: Partial<TableState> = {}): TableState {
  const base = { name, arn: `${ARN}${name}`, isActive: true, key: TABLES[kind].key, features: ALL_ON };
  return { ...base, restoredFrom: undefined, streamArn: undefined, ...change };
}

function reject(kind: TableName, source: Partial<TableState> = {}, change: Partial<Restoration> = {}) {
  return rejectRestoration({
    table: kind,
    source: state('restored', kind, source),
    target: state(kind, kind),
    hasOrigin: true,
    isMaintenance: true,
    ...change,
  })?.why;
}

describe('a restored table', () => {
  it.each(['config', 'keys', 'logs', 'usage'] as const)('is copied back as %s', (kind) => {
    expect(reject(kind)).toBeUndefined();
    expect(reject(kind, { restoredFrom: `${ARN}${kind}` })).toBeUndefined();
    // The table that was lost is gone, and the stack has a new one.
    expect(reject(kind, { restoredFrom: `${ARN}lost` }, { hasOrigin: false })).toBeUndefined();
  });

  it.each(['counters', 'cache'] as const)('is never copied back as %s', (kind) => {
    expect(reject(kind)).toBe(`The table ${kind} holds only current state: an old copy would be wrong.`);
  });

  it('is refused while it, or the table of the stack, is not active', () => {
    expect(reject('logs', { isActive: false })).toBe('The table restored is not active.');
    const target = state('logs', 'logs', { isActive: false });
    expect(reject('logs', {}, { target })).toBe('The table logs is not active.');
  });

  it('is refused with other keys', () => {
    const why = 'Its keys are not those of the table config.';
    expect(reject('config', { key: { partition: 'pk' } })).toBe(why);
    expect(reject('config', { key: undefined })).toBe(why);
    expect(reject('keys', { key: { partition: 'pk', sort: 'sk' } })).toContain('not those');
    expect(reject('config', {}, { target: state('config', 'keys') })).toBe(why);
  });

  it('is refused where it is of another stage, account or region', () => {
    expect(reject('keys', { restoredFrom: `${ARN}keys-of-dev` })).toBe(
      `It was restored from ${ARN}keys-of-dev, which exists and is not the table keys of this stack.`,
    );
    for (const arn of [
      'arn:aws:dynamodb:eu-west-1:111122223333:table/keys',
      'arn:aws:dynamodb:eu-central-1:444455556666:table/keys',
      'arn:aws-cn:dynamodb:eu-central-1:111122223333:table/keys',
    ])
      expect(reject('keys', { restoredFrom: arn }, { hasOrigin: false })).toBe(
        `It was restored from ${arn}, which is of another account or region.`,
      );
  });

  it('is refused while calls are served, where it decides who is let in', () => {
    const open = { isMaintenance: false };
    expect(reject('config', {}, open)).toContain('Calls are served');
    expect(reject('keys', {}, open)).toContain('Calls are served');
    expect(reject('logs', {}, open)).toBeUndefined();
    expect(reject('usage', {}, open)).toBeUndefined();
  });

  it('is refused where it, or the table of the stack, does not exist', () => {
    expect(reject('logs', {}, { source: undefined })).toContain('There is no table of this name');
    expect(reject('logs', {}, { target: undefined })).toBe('There is no table logs in the stack.');
  });

  it('is of the kind of the table that it was made from', () => {
    const targets = { config: state('a', 'config'), keys: state('b', 'keys') } as Parameters<
      typeof findRestoredKind
    >[1];
    expect(findRestoredKind({ restoredFrom: `${ARN}b` }, targets)).toBe('keys');
    expect(findRestoredKind({ restoredFrom: `${ARN}c` }, targets)).toBeUndefined();
    expect(findRestoredKind({ restoredFrom: undefined }, targets)).toBeUndefined();
  });
});

describe('a table restored under its own name', () => {
  const off = { timeToLive: false, stream: false, pointInTimeRecovery: false, deletionProtection: false };
  const states = (kind: TableName, others: TableState['features']) => {
    const names = Object.keys(TABLES) as TableName[];
    return Object.fromEntries(
      names.map((name) => [name, state(name, name, { features: name === kind ? off : others })]),
    ) as Record<TableName, TableState>;
  };

  it.each([
    ['config', ['pointInTimeRecovery', 'deletionProtection']],
    ['keys', ['pointInTimeRecovery', 'deletionProtection']],
    ['counters', ['timeToLive']],
    ['cache', ['timeToLive']],
    ['logs', ['timeToLive', 'stream', 'pointInTimeRecovery', 'deletionProtection']],
    ['usage', ['timeToLive', 'pointInTimeRecovery', 'deletionProtection']],
  ] as const)('lacks as %s what the schema and the other tables have', (kind, lacking) => {
    expect(findLackingFeatures(kind, states(kind, ALL_ON))).toEqual(lacking);
  });

  it('lacks no backups or protection where no other table of the stage has them', () => {
    expect(findLackingFeatures('logs', states('logs', off))).toEqual(['timeToLive', 'stream']);
  });

  it('lacks nothing that the store does not know, and nothing where it is whole', () => {
    const unknown = { ...ALL_ON, pointInTimeRecovery: undefined };
    const known = states('usage', ALL_ON);
    expect(
      findLackingFeatures('usage', { ...known, usage: state('usage', 'usage', { features: unknown }) }),
    ).toEqual([]);
    expect(
      findLackingFeatures('usage', { ...known, usage: state('usage', 'usage', { features: ALL_ON }) }),
    ).toEqual([]);
  });
});
