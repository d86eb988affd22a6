// The test suite of the JSON Schema organization for draft 2020-12. Left out are its groups with patterns and formats, which are left to the
// provider, with `$dynamicRef`, which no provider takes, and with references to other documents, which are never fetched.
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import suite from './draft-2020-12.generated.json' with { type: 'json' };

type Group = readonly [description: string, schema: JsonObject, tests: readonly Case[]];
type Case = readonly [description: string, data: unknown, valid: boolean];

/** What the copy holds: so many, or a part of it is not run. */
const CASES = 946;

const keywords = Object.entries(suite.keywords as unknown as Record<string, readonly Group[]>);

describe.each(keywords)('%s', (_keyword, groups) => {
  it.each(groups)('%s', (_description, schema, tests) => {
    for (const [description, data, valid] of tests) {
      const mismatch = findMismatch(schema, data, () => undefined);
      expect(mismatch ?? { fits: true }, description).toEqual(
        valid ? { fits: true } : { path: expect.any(String) },
      );
    }
  });
});

it('is there whole', () => {
  const cases = keywords.flatMap(([, groups]) => groups.flatMap(([, , tests]) => tests));
  expect(cases).toHaveLength(CASES);
});
