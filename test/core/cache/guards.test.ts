// Guards divide the cache: an answer that one chain of them let pass is no answer behind another.
import { describe, expect, it } from 'vitest';
import { planCaching } from '../../../core/cache/plan.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import { requestOf } from './requests.ts';

const MODELS = { type: 'openai', baseUrl: 'https://models.example.com/v1' };
const MODERATOR = { type: 'openai', baseUrl: 'https://judge.example.com/v1' };

function scopeOf({
  moderator = MODERATOR,
  guard = {} as object,
  mandatory = [{ use: 'moderate', action: 'block' }],
}) {
  const request = requestOf();
  const organization = organizationSchema.parse({
    organization: 'acme',
    providers: { models: MODELS, moderator },
    guards: { moderate: { type: 'openaiModeration', provider: 'moderator', ...guard } },
    mandatory,
  });
  const plan = planCaching({ ...request, settings: { ...request.settings, organization } });
  if (plan.kind !== 'use') throw new Error('the request is not cached');
  return plan.key.scope;
}

describe('the scope of a cached answer', () => {
  const scopes = {
    same: scopeOf({}),
    'another address of the provider that judges': scopeOf({
      moderator: { ...MODERATOR, baseUrl: 'https://other.example.com/v1' },
    }),
    'another model that judges': scopeOf({ guard: { model: 'text-moderation-stable' } }),
    'another provider that judges': scopeOf({ guard: { provider: 'models' } }),
    'a threshold': scopeOf({ guard: { thresholds: { violence: 0.8 } } }),
    'another threshold': scopeOf({ guard: { thresholds: { violence: 0.9 } } }),
    'another action': scopeOf({ mandatory: [{ use: 'moderate', action: 'flag' }] }),
    'no guard in use': scopeOf({ mandatory: [] }),
  };

  it('is the same for the same guards', () => {
    expect(scopeOf({})).toBe(scopes.same);
  });

  it('is another one with each of these', () => {
    const names = Object.keys(scopes);
    expect(new Set(Object.values(scopes)).size).toBe(names.length);
  });

  it('does not know a provider that no guard in use asks', () => {
    const other = { ...MODERATOR, baseUrl: 'https://other.example.com/v1' };
    expect(scopeOf({ mandatory: [], moderator: other })).toBe(scopes['no guard in use']);
  });
});
