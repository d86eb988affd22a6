// The JSON Schemas in docs/schema are those of the settings that this release reads; `vitest run -u` on this file writes them.
import { describe, expect, it } from 'vitest';
import { toJsonSchemas } from '../../core/config/json-schema.ts';

const schemas = toJsonSchemas();

describe('docs/schema', () => {
  it.each(['organization', 'neuron', 'settings'] as const)(
    'holds the schema %s as it is now',
    async (name) => {
      await expect(`${JSON.stringify(schemas[name], null, 2)}\n`).toMatchFileSnapshot(
        `../../docs/schema/${name}.schema.json`,
      );
    },
  );

  it('knows every member of both documents and refuses others', () => {
    expect(schemas.organization).toMatchObject({ additionalProperties: false, required: ['organization'] });
    expect(schemas.neuron).toMatchObject({ additionalProperties: false, required: ['neuron'] });
    expect(Object.keys(schemas.neuron['properties'] as object).sort()).toEqual([
      'access',
      'caching',
      'deadline',
      'flow',
      'format',
      'logging',
      'maxInputBytes',
      'name',
      'neuron',
      'rateLimits',
      'receipt',
      'whenCountersFail',
    ]);
  });
});
