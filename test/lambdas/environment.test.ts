// The environment of the functions: what the stacks write is what the handlers read.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUTHORIZER_FIELDS,
  EXECUTION_FIELDS,
  fromVariables,
  ROLLUP_FIELDS,
  TRACES_FIELDS,
  toVariables,
} from '../../lambdas/environment.ts';

const text = fc.string({ minLength: 1, maxLength: 60 });
const milliseconds = fc.integer({ min: 1, max: 86_400_000 });

const environments = fc.record({
  stage: text,
  configTable: text,
  keysTable: text,
  countersTable: text,
  cacheTable: text,
  logsTable: text,
  usageTable: text,
  counterShards: fc.integer({ min: 1, max: 200 }),
  organizationConcurrency: fc.integer({ min: 0, max: 100_000 }),
  providerHosts: fc.constantFrom(undefined, ['api.openai.com'], ['*.example.com', '203.0.113.7']),
  logShards: fc.integer({ min: 1, max: 64 }),
  secretPrefix: text,
  transferMode: fc.constantFrom('STREAM' as const, 'BUFFERED' as const),
  maxDeadlineMs: milliseconds,
  settingsTtlMs: milliseconds,
  settingsMaxStaleMs: milliseconds,
  secretsTtlMs: milliseconds,
  keySetsTtlMs: milliseconds,
  keySetsMaxStaleMs: milliseconds,
  keySetsRefetchAfterMs: milliseconds,
  keySetsErrorBackoffMs: milliseconds,
  tracesEndpoint: text,
  tracesHeadersSecret: fc.option(text, { nil: undefined }),
  tracesContent: fc.constantFrom('on' as const, 'off' as const),
  alertEventBus: text,
  alertTopicArn: fc.option(text, { nil: undefined }),
});

const VARIABLES = toVariables(['configTable', 'transferMode', 'settingsTtlMs'], {
  configTable: 'neuron-config',
  transferMode: 'STREAM',
  settingsTtlMs: 15_000,
});

describe('the environment', () => {
  it.each([
    ['authorizer', AUTHORIZER_FIELDS],
    ['execution', EXECUTION_FIELDS],
    ['rollup', ROLLUP_FIELDS],
    ['traces', TRACES_FIELDS],
  ])('of the %s function reads back as it was written, and holds its fields only', (_name, fields) => {
    fc.assert(
      fc.property(environments, (environment) => {
        const read = fromVariables<(typeof fields)[number]>(fields, toVariables(fields, environment));
        const expected = Object.fromEntries(fields.map((field) => [field, environment[field]]));
        expect(read).toEqual(expected);
      }),
    );
  });

  it('is written as text under names that never change', () => {
    expect(VARIABLES).toEqual({
      CONFIG_TABLE: 'neuron-config',
      TRANSFER_MODE: 'STREAM',
      SETTINGS_TTL_MS: '15000',
    });
  });

  it('does not give the authorizer the tables that it has no business with', () => {
    expect(AUTHORIZER_FIELDS).not.toContain('countersTable');
    expect(AUTHORIZER_FIELDS).not.toContain('cacheTable');
    expect(EXECUTION_FIELDS).not.toContain('keysTable');
  });

  it('refuses to start, and names every variable that is missing or malformed', () => {
    const read = () =>
      fromVariables(['configTable', 'transferMode', 'settingsTtlMs'], { TRANSFER_MODE: 'stream' });
    expect(read).toThrow(/CONFIG_TABLE, TRANSFER_MODE, SETTINGS_TTL_MS/);
  });

  it.each([
    ['CONFIG_TABLE', ''],
    ['TRANSFER_MODE', 'BUFFER'],
    ['SETTINGS_TTL_MS', ''],
    ['SETTINGS_TTL_MS', '0'],
    ['SETTINGS_TTL_MS', '-1'],
    ['SETTINGS_TTL_MS', '1.5'],
    ['SETTINGS_TTL_MS', '15s'],
    ['SETTINGS_TTL_MS', '1e3'],
    ['SETTINGS_TTL_MS', ' 15'],
  ])('refuses %s=%j', (name, value) => {
    const read = () =>
      fromVariables(['configTable', 'transferMode', 'settingsTtlMs'], { ...VARIABLES, [name]: value });
    expect(read).toThrow(new Error(`missing or malformed environment variables: ${name}`));
  });

  it('keeps values out of the error, since a log may keep it', () => {
    expect(() => fromVariables(['transferMode'], { TRANSFER_MODE: 'hunter2' })).not.toThrow(/hunter2/);
  });
});
