// The six tables: what they are keyed by can never change once deployed, so it is written out here a second time.
import { describe, expect, it } from 'vitest';
import { TABLES, type TableSchema } from '../../../core/contract/tables.ts';

const tables = Object.entries<TableSchema>(TABLES);

describe('the tables', () => {
  it('have the keys that they were first deployed with', () => {
    const keys = tables.map(([name, { key }]) => [name, key.partition, key.sort]);
    expect(keys).toEqual([
      ['config', 'pk', 'sk'],
      ['keys', 'pk', undefined],
      ['counters', 'pk', undefined],
      ['cache', 'pk', undefined],
      ['logs', 'pk', 'sk'],
      ['usage', 'pk', 'sk'],
    ]);
  });

  it('have the indexes that they were first deployed with', () => {
    const indexes = tables.flatMap(([table, schema]) =>
      schema.indexes.map(({ name, key }) => [table, name, key.partition, key.sort]),
    );
    expect(indexes).toEqual([
      ['keys', 'byOrganization1', 'organizationId', 'keyId'],
      ['logs', 'byOrganization1', 'organizationHour', 'sk'],
      ['logs', 'byUsername1', 'usernameHour', 'sk'],
      ['logs', 'byFailure1', 'failureHour', 'sk'],
      ['logs', 'byExecution1', 'executionId', undefined],
    ]);
    expect(TABLES.cache.vectorIndex).toEqual({
      name: 'semantic1',
      partition: 'scope',
      vector: 'vector',
      dimensions: 512,
    });
  });

  it('end the life of counters, cached answers, log entries and marks of usage, and of nothing else', () => {
    const ending = tables.filter(([, { timeToLive }]) => timeToLive !== undefined).map(([name]) => name);
    expect(ending).toEqual(['counters', 'cache', 'logs', 'usage']);
  });

  it('stay within what DynamoDB takes: names of 3 characters and more, 100 projected attributes over all indexes', () => {
    for (const [name, { indexes }] of tables) {
      expect(name.length).toBeGreaterThanOrEqual(3);
      for (const index of indexes) expect(index.name.length).toBeGreaterThanOrEqual(3);
      const projected = indexes.reduce((sum, { include }) => sum + include.length, 0);
      expect(projected).toBeLessThanOrEqual(100);
    }
  });

  it('project the end of an entry wherever a list is read, so that no list shows what has ended', () => {
    for (const { name, include } of TABLES.logs.indexes) {
      if (name !== 'byExecution1') expect(include).toContain('expiresAt');
    }
  });

  it('never project a text, a trace or an input into an index', () => {
    const projected = tables.flatMap(([, { indexes }]) => indexes.flatMap(({ include }) => include));
    expect(projected.filter((name) => ['input', 'output', 'trace', 'modelCalls'].includes(name))).toEqual([]);
  });
});
