// The limits of a key survive the way from the authorizer to the execution function, and half of them is nothing.
import { describe, expect, it } from 'vitest';
import {
  type AuthorizerContext,
  parseContext,
  parseKeyLimits,
  renderContext,
  renderKeyLimits,
} from '../../../adapters/apigateway/authorizer-context.ts';

const ALL = (['requests', 'tokens', 'cost'] as const).flatMap((metric) =>
  (['day', 'month'] as const).map((period) => ({ metric, limit: 1_000_000_000_000, period })),
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

describe('the limits of an API key', () => {
  it('are one short text in ASCII', () => {
    expect(renderKeyLimits([{ metric: 'cost', limit: 50_000_000, period: 'month' }, ALL[0]!])).toBe(
      'cost:50000000:month,requests:1000000000000:day',
    );
    expect(renderKeyLimits(ALL).length).toBeLessThan(200);
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
    expect(context).toMatchObject({ keyLimits: 'requests:1000000000000:day,requests:1000000000000:month' });
    expect(parseContext(context)).toEqual({ ...ADMITTED, keyLimits: ALL.slice(0, 2) });
    expect(parseContext({ ...context, keyLimits: 'cost:1:year' })).toBeUndefined();
    expect(renderContext({ ...ADMITTED, keyLimits: [] })).not.toHaveProperty('keyLimits');
  });
});
