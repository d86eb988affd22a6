// The tables of fields in docs/responses.md and docs/messages.md are those of the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MESSAGE_FIELDS } from '../../core/surfaces/anthropic/fields.ts';
import { RESPONSE_FIELDS } from '../../core/surfaces/responses/fields.ts';
import { ROOT } from '../source-tree.ts';

describe.each([
  ['docs/responses.md', RESPONSE_FIELDS],
  ['docs/messages.md', MESSAGE_FIELDS],
] as const)('the fields in %s', (file, { fields, harmless }) => {
  const page = readFileSync(join(ROOT, file), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (hono[a-z]+|refused|left)( out)?(.*) \|$/gm)];

  it('are those of the code, with what becomes of each', () => {
    expect(
      Object.fromEntries(rows.map(([, name, word = '']) => [name, word === 'left' ? 'leftOut' : word])),
    ).toEqual(fields);
    expect(rows).toHaveLength(Object.keys(fields).length);
  });

  it('name the values of refused ones that are taken', () => {
    for (const [name, values] of Object.entries(harmless)) {
      const row = rows.find((one) => one[1] === name)?.[0] ?? '';
      for (const value of values) {
        expect(row).toContain(typeof value === 'string' ? value : JSON.stringify(value));
      }
    }
  });
});
