// The limits of a key survive the way from the authorizer to the execution function, and half of them is nothing.
import { describe, expect, it } from 'vitest';
import {
  type AuthorizerContext,
  parseContext,
  parseKeyLimits,
  renderKeyLimits as render,
  renderContext,
} from '../../../adapters/apigateway/authorizer-context.ts';
import type { KeyLimit } from '../../../core/settings/usage-limits.ts';

const renderKeyLimits = (limits: readonly KeyLimit[]): string => String(render(limits).keyLimits);

const ALL = (['requests', 'tokens', 'cost'] as const).flatMap((metric) =>
  (['minute', 'day', 'month'] as const).map((period) => ({ metric, limit: 1_000_000_000_000, period })),
);

const ADMITTED = {
  outcome: 'allow',
  organization: 'acme',
  neuron: 'hello',
  organizationId: 'org-1',
  neuronId: 'neu-1',
  authentication: 'apiKey',
  keyId: 'key1',
  username: undefined,
  settingsVersion: '7.12',
} as const satisfies AuthorizerContext;

const GRANTS = { tags: { team: 'Größe 🎈' }, onBehalfOf: true, tagsFromCalls: true, pausedForSeconds: 60 };

describe('the grants of an API key', () => {
  it('survive the way in ASCII, on both kinds of URLs', () => {
    const admitted = { ...ADMITTED, keyGrants: GRANTS };
    const context = renderContext(admitted);
    expect(JSON.stringify(context)).toMatch(/^[\x20-\x7e]+$/);
    expect(parseContext(context)).toEqual(admitted);
    const neuronPatterns = ['shop-*', 'blog-*'];
    const proven = { outcome: 'key', organization: 'acme', organizationId: 'org-1', keyId: 'key1' } as const;
    const whole = { ...proven, keyGrants: GRANTS, neuronIds: ['neu-1'], neuronPatterns };
    expect(parseContext(renderContext(whole))).toEqual(whole);
    expect(renderContext(ADMITTED)).not.toHaveProperty('keyGrants');
  });

  it.each([
    'e30x',
    '{}',
    Buffer.from('{').toString('base64url'),
    Buffer.from('[]').toString('base64url'),
    Buffer.from('{"pausedForSeconds":"60"}').toString('base64url'),
    Buffer.from('{"onBehalfOf":"yes"}').toString('base64url'),
    Buffer.from('{"tags":{"a":5}}').toString('base64url'),
    Buffer.from('{"further":true}').toString('base64url'),
  ])('admit nobody where they cannot be read: %s', (keyGrants) => {
    expect(parseContext({ ...renderContext(ADMITTED), keyGrants })).toBeUndefined();
  });

  it('make a key unusable on the URL of an organization where they are too long for the context', () => {
    const key = { outcome: 'key', organization: 'acme', organizationId: 'org-1', keyId: 'key1' } as const;
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`.padStart(24, '0'));
    expect(renderContext({ ...key, neuronIds: ids(250) })).toMatchObject({ outcome: 'key' });
    const tags = Object.fromEntries(ids(10).map((name) => [name, '🎈'.repeat(32)]));
    const rendered = renderContext({ ...key, neuronIds: ids(250), keyGrants: { tags } });
    expect(rendered).toEqual({
      outcome: 'configuration',
      reason: expect.stringContaining('more neurons and tags'),
    });
  });
});

describe('the limits of an API key', () => {
  it('are one short text in ASCII', () => {
    expect(renderKeyLimits([{ metric: 'cost', limit: 50_000_000, period: 'month' }, ALL[0]!])).toBe(
      'cost:50000000:month,requests:1000000000000:minute',
    );
    expect(renderKeyLimits(ALL).length).toBeLessThan(300);
    expect(renderKeyLimits(ALL)).toMatch(/^[\x20-\x7e]+$/);
  });

  it('read back as they were rendered', () => {
    expect(parseKeyLimits(renderKeyLimits(ALL))).toEqual(ALL);
    expect(parseKeyLimits('cost:0:day')).toEqual([{ metric: 'cost', limit: 0, period: 'day' }]);
    expect(parseKeyLimits(undefined)).toBeUndefined();
  });

  it.each([
    'cost',
    'cost:5',
    'cost:5:day:x',
    'cost:5:day,',
    'cost:five:day',
    'cost::day',
    'cost:-5:day',
    'cost:1e3:day',
    'cost:5:week',
    'concurrent:5:day',
    'requests:5:day,cost:x:day',
  ])('refuse %s', (text) => {
    expect(parseKeyLimits(text)).toBe('malformed');
  });

  it('go with the admission, and make it none when they cannot be read', () => {
    const context = renderContext({ ...ADMITTED, keyLimits: ALL.slice(0, 2) });
    expect(context).toMatchObject({ keyLimits: 'requests:1000000000000:minute,requests:1000000000000:day' });
    expect(parseContext(context)).toEqual({ ...ADMITTED, keyLimits: ALL.slice(0, 2) });
    expect(parseContext({ ...context, keyLimits: 'cost:1:year' })).toBeUndefined();
    expect(renderContext({ ...ADMITTED, keyLimits: [] })).not.toHaveProperty('keyLimits');
  });
});
